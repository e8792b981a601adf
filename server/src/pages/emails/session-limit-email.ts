import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, SessionLimitEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { emailAddress, emailButton, emailDocument, oneLine, paragraph, small } from './email-frame.ts';

/** The email to a member whose login has ended older sessions. */
export function sessionLimitEmail(
  frame: EmailFrame,
  { url, email, origin }: SessionLimitEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin };
  const subject = fill(texts['sessionLimit.subject'], values);
  const hello = texts['email.hello'];
  const ended = fill(texts['sessionLimit.ended'], values);
  const notYou = texts['sessionLimit.notYou'];
  const sentTo = fill(texts['sessionLimit.sentTo'], values);
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${ended}</p>
<p style="${paragraph}">${notYou}</p>
${emailButton(frame, url, texts['sessionLimit.button'])}
${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, ended, notYou, url, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
