import { fill } from '@gatehouse/contract/fill';
import type { ComposedEmail, EmailFrame, PageCodesPausedEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to an operator when chosen page codes are not accepted for an hour. */
export function pageCodesPausedEmail(
  frame: EmailFrame,
  { url, siteTitle, email, origin }: PageCodesPausedEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(siteTitle), email: oneLine(email), origin };
  return noticeEmail(frame, {
    subject: fill(texts['pageCodesPaused.subject'], values),
    paragraphs: [fill(texts['pageCodesPaused.paused'], values), texts['pageCodesPaused.next']],
    button: texts['pageCodesPaused.button'],
    url,
    sentTo: fill(texts['pageCodesPaused.sentTo'], values),
  });
}
