import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, MailTestEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { emailDocument, oneLine, openingOf, paragraph, small } from './email-frame.ts';

/** The email to an operator who tests the mail server. */
export function mailTestEmail(frame: EmailFrame, { email, origin }: MailTestEmail): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin };
  const subject = fill(texts['mailTest.subject'], values);
  const works = fill(texts['mailTest.works'], values);
  const sentTo = fill(texts['mailTest.sentTo'], values);
  const opening = openingOf(frame);
  const body = html`${opening.html}<p style="${paragraph}">${works}</p>
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[...opening.lines, works, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
