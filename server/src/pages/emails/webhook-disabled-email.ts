import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, WebhookDisabledEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { emailAddress, emailButton, emailDocument, oneLine, paragraph, small } from './email-frame.ts';

/** The email to an operator when a webhook was disabled. */
export function webhookDisabledEmail(
  frame: EmailFrame,
  { url, host, reason, siteTitle, email, origin }: WebhookDisabledEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(siteTitle), host, email: oneLine(email), origin };
  const subject = fill(texts['webhookDisabled.subject'], values);
  const hello = texts['email.hello'];
  const disabled = fill(texts[`webhookDisabled.${reason}`], values);
  const next = texts['webhookDisabled.next'];
  const sentTo = fill(texts['webhookDisabled.sentTo'], values);
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${disabled}</p>
<p style="${paragraph}">${next}</p>
${emailButton(frame, url, texts['webhookDisabled.button'])}
${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, disabled, next, url, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
