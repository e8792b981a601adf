import type { Mail } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

const colours: Record<Mail['state'], string> = {
  waiting: 'yellow',
  sent: 'teal',
  kept: 'gray',
  failed: 'red',
};

/** What became of a mail, in a word; on hover in a sentence. */
export function MailState({ state }: { state: Mail['state'] }) {
  const t = useTexts('mails');
  return (
    <Badge variant="dot" color={colours[state]} tt="none" title={t(`help.${state}`)}>
      {t(`state.${state}`)}
    </Badge>
  );
}
