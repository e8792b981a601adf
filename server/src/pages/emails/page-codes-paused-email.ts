import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, PageCodesPausedEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { emailAddress, emailButton, emailDocument, oneLine, paragraph, small } from './email-frame.ts';

/** The email to an operator when chosen page codes are not accepted for an hour. */
export function pageCodesPausedEmail(
  frame: EmailFrame,
  { url, siteTitle, email, origin }: PageCodesPausedEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(siteTitle), email: oneLine(email), origin };
  const subject = fill(texts['pageCodesPaused.subject'], values);
  const hello = texts['email.hello'];
  const paused = fill(texts['pageCodesPaused.paused'], values);
  const next = texts['pageCodesPaused.next'];
  const sentTo = fill(texts['pageCodesPaused.sentTo'], values);
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${paused}</p>
<p style="${paragraph}">${next}</p>
${emailButton(frame, url, texts['pageCodesPaused.button'])}
${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, paused, next, url, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
