import { fill } from '@gatehouse/contract/fill';
import type { AccountLinkedEmail, ComposedEmail, EmailFrame } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to a member who can log in with an account at a login provider from now on. */
export function accountLinkedEmail(
  frame: EmailFrame,
  { provider, url, email, origin }: AccountLinkedEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = {
    site: oneLine(frame.site.title),
    provider: oneLine(provider),
    email: oneLine(email),
    origin,
  };
  return noticeEmail(frame, {
    subject: fill(texts['accountLinked.subject'], values),
    paragraphs: [fill(texts['accountLinked.linked'], values), texts['accountLinked.notYou']],
    button: texts['accountLinked.button'],
    url,
    sentTo: fill(texts['accountLinked.sentTo'], values),
  });
}
