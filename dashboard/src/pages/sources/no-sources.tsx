import { Stack } from '@mantine/core';
import { IconPlugConnected } from '../../components/icons/icons.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { Contact } from '../../components/people/contact.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { KindChoice } from './kind-choice.tsx';

/** What sources are for, and the kinds to begin with. */
export function NoSources() {
  const t = useTexts('sources');
  const mayWrite = useMay('sources:write');
  return (
    <Stack gap={0}>
      <EmptyState
        icon={IconPlugConnected}
        title={t('empty')}
        action={!mayWrite && <Contact needs={['sources:write']} isReadOnly />}
      >
        {t('emptyText')}
      </EmptyState>
      {mayWrite && <KindChoice />}
    </Stack>
  );
}
