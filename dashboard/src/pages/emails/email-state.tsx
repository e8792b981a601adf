import type { Email } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

const colors: Record<Email['status'], string> = {
  waiting: 'yellow',
  sent: 'teal',
  not_sent: 'gray',
  failed: 'red',
};

/** The status of an email; a longer explanation is shown on hover. */
export function EmailState({ state }: { state: Email['status'] }) {
  const t = useTexts('emails');
  return (
    <Badge variant="dot" color={colors[state]} tt="none" title={t(`help.${state}`)}>
      {t(`state.${state}`)}
    </Badge>
  );
}
