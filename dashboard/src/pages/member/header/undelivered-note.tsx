import type { MemberWithGroups } from '@gatehouse/client';
import { Group, Stack, Text } from '@mantine/core';
import { ResendButton } from '../../../components/emails/resend-button.tsx';
import { replyOf, ServerReply } from '../../../components/emails/server-reply.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { LinkText } from '../../../components/layout/links.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useUndeliveredEmail } from '../../../queries/members/undelivered-email.ts';

/** Says that the last email to the member could not be delivered, and what the mail server said, until a later one is sent. */
export function UndeliveredNote({ member: { id, email: address } }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const undelivered = useUndeliveredEmail(id, address);
  if (!undelivered) return null;
  const { email, isNewerWaiting, isCorrected } = undelivered;
  const reply = replyOf(email);
  return (
    <Notice state="bad" mb="lg" ref={passFocusOn}>
      <Group justify="space-between" gap="xs">
        <Stack gap={0} flex="1 1 20rem" miw={0}>
          <Text size="sm">
            {t.rich('emailFailed', {
              time: <TimeText at={email.createdAt} />,
              reply: reply !== null && <ServerReply reply={reply} />,
            })}
          </Text>
          {isCorrected && <Hint>{t('emailCorrected')}</Hint>}
        </Stack>
        <Group gap="sm">
          <LinkText from="/$site" to="/$site/emails" search={{ memberId: id, email: email.id }} size="sm">
            {t('showEmail')}
          </LinkText>
          {isNewerWaiting ? (
            <Hint>{t('newEmailWaits')}</Hint>
          ) : (
            <ResendButton email={{ ...email, recipient: address }} isInRow />
          )}
        </Group>
      </Group>
    </Notice>
  );
}
