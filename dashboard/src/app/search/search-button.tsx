import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { IconSearch } from '../../components/icons/icons.ts';
import { shortcut } from '../../format/shortcut.ts';
import { useTexts } from '../../languages/texts.tsx';

const Search = lazy(() => import('./search.tsx').then(({ Search }) => ({ default: Search })));

/** Opens the global search, as ⌘K and Ctrl+K do. Its code is fetched on first use. */
export function SearchButton() {
  const t = useTexts('shell');
  const [wanted, setWanted] = useState(0);
  const open = () => setWanted((times) => times + 1);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">{shortcut('K')}</Kbd>}
        onClick={open}
        c="dimmed"
        fw={400}
        aria-keyshortcuts="Meta+K Control+K"
      >
        {t('search')}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        hiddenFrom="sm"
        size="lg"
        onClick={open}
        aria-label={t('search')}
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      {wanted > 0 && (
        <Suspense>
          <Search wanted={wanted} />
        </Suspense>
      )}
    </>
  );
}
