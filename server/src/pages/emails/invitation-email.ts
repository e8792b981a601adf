import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, InvitationEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { emailAddress, emailButton, emailDocument, oneLine, paragraph, small } from './email-frame.ts';

/** The email to a new operator: a subject on one line, and the same content in plain text and in HTML. */
export function invitationEmail(
  frame: EmailFrame,
  { url, inviter, siteTitle, email, origin }: InvitationEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = {
    site: oneLine(siteTitle),
    inviter: oneLine(inviter ?? ''),
    email: oneLine(email),
    origin,
  };
  const subject = fill(texts[inviter === null ? 'invitation.subjectAlone' : 'invitation.subject'], values);
  const hello = texts['email.hello'];
  const invited = fill(texts[inviter === null ? 'invitation.invitedAlone' : 'invitation.invited'], values);
  const logIn = texts['invitation.logIn'];
  const notYou = texts['invitation.notYou'];
  const sentTo = fill(texts['invitation.sentTo'], values);
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${invited} ${logIn}</p>
${emailButton(frame, url, texts['invitation.button'])}
<p style="${paragraph}">${notYou}</p>
${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, `${invited} ${logIn}`, url, notYou, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
