import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import type {
  AddressChangedEmail,
  AddressCodeEmail,
  ComposedEmail,
  EmailFrame,
} from '../../domain/emails/email-composer.ts';
import { inMinutes, textsOf } from '../../i18n/languages.ts';
import { closingOf, emailDocument, oneLine, openingOf, paragraph, small } from './email-frame.ts';
import { noticeEmail } from './notice-email.ts';

/** The email to a new address: with a code, or, if it belongs to another member, without one. */
export function addressCodeEmail(
  frame: EmailFrame,
  { code, minutes, email, origin }: AddressCodeEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = {
    site: oneLine(frame.site.title),
    email: oneLine(email),
    origin,
    minutes: inMinutes(frame.language, minutes),
  };
  const subject = fill(texts['addressCode.subject'], values);
  const [opening, closing] = [openingOf(frame), closingOf(frame)];
  const intro = fill(texts[code === null ? 'addressCode.taken' : 'addressCode.intro'], values);
  const notYou = texts['addressCode.notYou'];
  const sentTo = fill(texts['addressCode.sentTo'], values);
  const body = html`${opening.html}<p style="${paragraph}">${intro}</p>
${code !== null && html`<p style="${paragraph}"><strong>${code}</strong></p>\n`}<p style="${paragraph}">${notYou}</p>
${closing.html}<p style="${small}">${sentTo}</p>`;
  const lines = [
    ...opening.lines,
    intro,
    ...(code === null ? [] : [code]),
    notYou,
    ...closing.lines,
    `-- \n${sentTo}`,
  ];
  return { subject, text: `${lines.join('\n\n')}\n`, html: emailDocument(frame, subject, body) };
}

/** The email to the former address of a member, with the link that takes the change back. */
export function addressChangedEmail(
  frame: EmailFrame,
  { url, days, email, origin }: AddressChangedEmail,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const values = { site: oneLine(frame.site.title), email: oneLine(email), origin, days: String(days) };
  return noticeEmail(frame, {
    subject: fill(texts['addressChanged.subject'], values),
    paragraphs: [fill(texts['addressChanged.intro'], values), fill(texts['addressChanged.notYou'], values)],
    button: texts['takeBack.button'],
    url,
    sentTo: fill(texts['addressChanged.sentTo'], values),
  });
}
