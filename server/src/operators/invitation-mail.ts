import { html } from '../base/html.ts';
import { fill, textsOf } from '../languages/languages.ts';
import {
  type MailFrame,
  mailAddress,
  mailButton,
  mailDocument,
  oneLine,
  paragraph,
  small,
} from '../login/mail-frame.ts';

export interface InvitationMail {
  /** Where to log in. */
  readonly url: string;
  /** Who invites, by name; null where it was done on the command line or by a program. */
  readonly inviter: string | null;
  /** The site to help with. */
  readonly siteTitle: string;
  readonly email: string;
  /** Where Gatehouse is found. */
  readonly origin: string;
}

/** The mail to a new operator: a subject of one line, and the same in plain text and in HTML. */
export function invitationMail(
  frame: MailFrame,
  { url, inviter, siteTitle, email, origin }: InvitationMail,
): { subject: string; text: string; html: string } {
  const texts = textsOf(frame.language);
  const values = {
    site: oneLine(siteTitle),
    inviter: oneLine(inviter ?? ''),
    email: oneLine(email),
    origin,
  };
  const subject = fill(texts[inviter === null ? 'invitation.subjectAlone' : 'invitation.subject'], values);
  const hello = texts['mail.hello'];
  const invited = fill(texts[inviter === null ? 'invitation.invitedAlone' : 'invitation.invited'], values);
  const logIn = texts['invitation.logIn'];
  const notYou = texts['invitation.notYou'];
  const sentTo = fill(texts['invitation.sentTo'], values);
  const body = html`<p style="${paragraph}">${hello}</p>
<p style="${paragraph}">${invited} ${logIn}</p>
${mailButton(frame, url, texts['invitation.button'])}
<p style="${paragraph}">${notYou}</p>
${mailAddress(texts['mail.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[hello, `${invited} ${logIn}`, url, notYou, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: mailDocument(frame, subject, body),
  };
}
