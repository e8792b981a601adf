import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { IconSearch } from '../../components/icons/icons.ts';
import { KeyHint } from '../../components/keyboard/key-hint.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { loadTexts, useTexts } from '../../languages/texts.tsx';

/** Opens the global search, as ⌘K and Ctrl+K do. Its code is fetched on first use. */
export function SearchButton() {
  const t = useTexts('shell');
  const [wanted, setWanted] = useState(0);
  const [code, setCode] = useState<typeof import('./search.tsx')>();
  function open(): void {
    Promise.all([import('./search.tsx'), loadTexts('search'), loadTexts('settings')])
      .then(([loaded]) => setCode(loaded))
      .then(() => setWanted((times) => times + 1), showFailure);
  }
  useWindowEvent('keydown', (event) => {
    const { ctrlKey, metaKey, shiftKey, altKey, key } = event;
    if (!(ctrlKey || metaKey) || shiftKey || altKey || key.toLowerCase() !== 'k') return;
    event.preventDefault();
    open();
  });
  usePageCommand('search', open);
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<KeyHint keys="mod+k" />}
        onClick={open}
        c="dimmed"
        fw={400}
        aria-keyshortcuts="Meta+K Control+K"
      >
        {t('search')}
      </Button>
      <IconAction
        icon={IconSearch}
        iconSize={20}
        hiddenFrom="sm"
        size="lg"
        onClick={open}
        label={t('search')}
      />
      {code && wanted > 0 && <code.Search wanted={wanted} />}
    </>
  );
}
