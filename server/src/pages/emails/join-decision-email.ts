import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, JoinDecisionEmail } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
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

/** The email to a person whose request to join was decided. An approved one leads to the ordinary login. */
export function joinDecisionEmail(
  frame: EmailFrame,
  { isApproved, url, email, origin }: JoinDecisionEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin };
  const name = isApproved ? 'joinApproved' : 'joinDeclined';
  const subject = fill(texts[`${name}.subject`], values);
  const [opening, closing] = [openingOf(frame), closingOf(frame)];
  const decision = fill(texts[`${name}.decision`], values);
  const notYou = texts['joinDecision.notYou'];
  const sentTo = fill(texts['joinDecision.sentTo'], values);
  const button = isApproved && [
    emailButton(frame, url, texts['joinApproved.button']),
    '\n',
    emailAddress(texts['email.address'], url),
    '\n',
  ];
  const body = html`${opening.html}<p style="${paragraph}">${decision}</p>
${button}<p style="${paragraph}">${notYou}</p>
${closing.html}<p style="${small}">${sentTo}</p>`;
  const lines = [
    ...opening.lines,
    decision,
    ...(isApproved ? [url] : []),
    notYou,
    ...closing.lines,
    `-- \n${sentTo}`,
  ];
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
