import { fill } from '@gatehouse/contract/fill';
import type { ComposedEmail, EmailFrame, WebhookDisabledEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { oneLine } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to an operator when a webhook was disabled. */
export function webhookDisabledEmail(
  frame: EmailFrame,
  { url, host, reason, siteTitle, email, origin }: WebhookDisabledEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(siteTitle), host, email: oneLine(email), origin };
  return noticeEmail(frame, {
    subject: fill(texts['webhookDisabled.subject'], values),
    paragraphs: [fill(texts[`webhookDisabled.${reason}`], values), texts['webhookDisabled.next']],
    button: texts['webhookDisabled.button'],
    url,
    sentTo: fill(texts['webhookDisabled.sentTo'], values),
  });
}
