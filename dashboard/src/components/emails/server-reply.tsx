import type { Email } from '@gatehouse/client';

type Attempted = Pick<Email, 'lastError' | 'mailServerReply'>;

/** What the mail server said about an email or, if it said nothing, why the last attempt failed; null if none failed. */
export function replyOf({ mailServerReply, lastError }: Attempted): string | null {
  return mailServerReply ?? lastError;
}

/** The words of the mail server, or of Gatehouse in place of them, which are English in every language. */
export function ServerReply({ reply }: { reply: string }) {
  return (
    <bdi lang="en" dir="ltr">
      {reply}
    </bdi>
  );
}
