import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, MemberInvitationEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { plainEndText } from '../account/end-text.ts';
import {
  closingOf,
  emailAddress,
  emailButton,
  emailDocument,
  oneLine,
  openingOf,
  paragraph,
  small,
} from './email-frame.ts';

/** The email to somebody who is invited to become a member: what it is, the link, and until when it works. */
export function memberInvitationEmail(
  frame: EmailFrame,
  { url, expiresAt, timeZone, email, origin }: MemberInvitationEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const end = plainEndText(frame.language, expiresAt, timeZone);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin, end };
  const subject = fill(texts['memberInvitation.subject'], values);
  const [opening, closing] = [openingOf(frame), closingOf(frame)];
  const invited = fill(texts['memberInvitation.invited'], values);
  const lifetime = fill(texts['memberInvitation.lifetime'], values);
  const notExpected = texts['memberInvitation.notExpected'];
  const sentTo = fill(texts['memberInvitation.sentTo'], values);
  const body = html`${opening.html}<p style="${paragraph}">${invited}</p>
${emailButton(frame, url, texts['memberInvitation.button'])}
<p style="${paragraph}">${lifetime}</p>
<p style="${paragraph}">${notExpected}</p>
${closing.html}${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[...opening.lines, invited, url, lifetime, notExpected, ...closing.lines, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
