import { fill } from '@gatehouse/contract/fill';
import type { ComposedEmail, EmailFrame, JoinRequestsEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to an operator about people who ask to join. It has nothing of what they wrote. */
export function joinRequestsEmail(
  frame: EmailFrame,
  { url, count, siteTitle, email, origin }: JoinRequestsEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const number = new Intl.NumberFormat(frame.language).format(count);
  const values = { site: oneLine(siteTitle), count: number, email: oneLine(email), origin };
  return noticeEmail(frame, {
    subject: fill(texts['joinRequests.subject'], values),
    paragraphs: [fill(texts['joinRequests.waiting'], values)],
    button: texts['joinRequests.button'],
    url,
    sentTo: fill(texts['joinRequests.sentTo'], values),
  });
}
