import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlainText } from '../../components/code/plain-text.tsx';
import { QuietButton } from '../../components/layout/action-button.tsx';
import { useTexts } from '../../languages/texts.tsx';

/** Longer messages are folded. */
const maxLines = 6;

/** What a person wrote, as plain text. Anyone can write anything here, also hundreds of empty lines. */
export function Message({ text }: { text: string }) {
  const t = useTexts('joinRequests');
  const [opened, { toggle }] = useDisclosure();
  const isLong = text.split(/\r\n?|[\n\u2028\u2029]/).length > maxLines;
  return (
    <Stack gap={4} align="flex-start">
      <PlainText maxLines={isLong && !opened ? maxLines : undefined}>{text}</PlainText>
      {isLong && <QuietButton label={t(opened ? 'hideMessage' : 'showMessage')} onClick={toggle} />}
    </Stack>
  );
}
