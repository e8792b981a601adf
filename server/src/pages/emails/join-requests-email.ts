import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, JoinRequestsEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { emailAddress, emailButton, emailDocument, oneLine, paragraph, small } from './email-frame.ts';

/** The email to an operator about people who ask to join. It has nothing of what they wrote. */
export function joinRequestsEmail(
  frame: EmailFrame,
  { url, count, siteTitle, email, origin }: JoinRequestsEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const number = new Intl.NumberFormat(frame.language).format(count);
  const values = { site: oneLine(siteTitle), count: number, email: oneLine(email), origin };
  const subject = fill(texts['joinRequests.subject'], values);
  const hello = texts['email.hello'];
  const waiting = fill(texts['joinRequests.waiting'], values);
  const sentTo = fill(texts['joinRequests.sentTo'], values);
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${waiting}</p>
${emailButton(frame, url, texts['joinRequests.button'])}
${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, waiting, url, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
