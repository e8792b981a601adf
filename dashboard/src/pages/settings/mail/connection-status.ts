import type { MailServer } from '@gatehouse/contract/dashboard';

type Delivery = Pick<MailServer, 'lastSentAt' | 'lastFailure'>;

/** `refuses` if the mail server was reached and has not accepted the last email: it refused it, or it wants it later. */
export type ConnectionStatus = 'works' | 'refuses' | 'fails' | 'unknown';

/** A permanent refusal of one recipient, by its enhanced status code (RFC 3463, section 3.2). */
const refusedRecipient = /^55\d[ -]5\.1\.(?:1|2|3|6|10)\b/;

/** Whether the mail server works, as far as the last emails say. */
export function connectionStatus({ lastSentAt, lastFailure }: Delivery): ConnectionStatus {
  if (lastFailure === null) return lastSentAt === null ? 'unknown' : 'works';
  if (isPast({ lastSentAt, lastFailure })) return 'works';
  const { reply } = lastFailure;
  if (reply === null) return 'fails';
  return refusedRecipient.test(reply) ? 'works' : 'refuses';
}

/** Whether an email was sent after the last failure. */
export function isPast({ lastSentAt, lastFailure }: Delivery): boolean {
  return lastSentAt !== null && lastFailure !== null && Date.parse(lastSentAt) > Date.parse(lastFailure.at);
}
