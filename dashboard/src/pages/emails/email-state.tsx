import type { Email } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

const colours: Record<Email['state'], string> = {
  waiting: 'yellow',
  sent: 'teal',
  not_sent: 'gray',
  failed: 'red',
};

/** The status of an email; a longer explanation is shown on hover. */
export function EmailState({ state }: { state: Email['state'] }) {
  const t = useTexts('emails');
  return (
    <Badge variant="dot" color={colours[state]} tt="none" title={t(`help.${state}`)}>
      {t(`state.${state}`)}
    </Badge>
  );
}
