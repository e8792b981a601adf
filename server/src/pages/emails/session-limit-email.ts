import { fill } from '@gatehouse/contract/fill';
import type { ComposedEmail, EmailFrame, SessionLimitEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to a member whose login has ended older sessions. */
export function sessionLimitEmail(
  frame: EmailFrame,
  { url, email, origin }: SessionLimitEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin };
  return noticeEmail(frame, {
    subject: fill(texts['sessionLimit.subject'], values),
    paragraphs: [fill(texts['sessionLimit.ended'], values), texts['sessionLimit.notYou']],
    button: texts['sessionLimit.button'],
    url,
    sentTo: fill(texts['sessionLimit.sentTo'], values),
  });
}
