import { type Html, html } from '../base/html.ts';
import { fill, inMinutes, type Texts, textsOf } from '../languages/languages.ts';
import {
  type MailFrame,
  mailAddress,
  mailButton,
  mailDocument,
  oneLine,
  paragraph,
  small,
} from './mail-frame.ts';

export interface LoginMail {
  /** The login link. */
  readonly url: string;
  /** Null where no browser asked for the link: then there is nowhere to type one. */
  readonly code: string | null;
  /** How long both work. */
  readonly minutes: number;
  readonly email: string;
  /** Where the site is found. */
  readonly origin: string;
}

/**
 * The mail that logs a member in: a subject of one line, and the same in plain text and in HTML. The subject without the
 * code is for lists that others read.
 */
export function loginMail(
  frame: MailFrame,
  mail: LoginMail,
): { subject: string; subjectWithoutCode: string; text: string; html: string } {
  const words = wordsOf(frame, mail);
  const { subject, subjectWithoutCode } = words;
  return {
    subject,
    subjectWithoutCode,
    text: textPart(words, mail),
    html: htmlPart(frame, words, mail),
  };
}

type Words = ReturnType<typeof wordsOf>;

function wordsOf({ site, language }: MailFrame, { code, minutes, email, origin }: LoginMail) {
  const texts: Texts = textsOf(language);
  const values = { site: oneLine(site.title), email: oneLine(email), origin, code: code ?? '' };
  return {
    subjectWithoutCode: fill(texts['mail.subject'], values),
    subject: fill(texts[code === null ? 'mail.subject' : 'mail.subjectWithCode'], values),
    hello: texts['mail.hello'],
    press: fill(texts['mail.press'], values),
    button: texts['mail.button'],
    address: texts['mail.address'],
    code: texts['mail.code'],
    lifetime: fill(texts['mail.lifetime'], { time: inMinutes(language, minutes) }),
    notYou: texts['mail.notYou'],
    sentTo: fill(texts['mail.sentTo'], values),
  };
}

function textPart(words: Words, { url, code }: LoginMail): string {
  const paragraphs = [
    words.hello,
    `${words.press}\n\n${url}`,
    ...(code === null ? [] : [`${words.code}\n\n    ${code}`]),
    words.lifetime,
    words.notYou,
    `-- \n${words.sentTo}`,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

function htmlPart(frame: MailFrame, words: Words, { url, code }: LoginMail): string {
  return mailDocument(
    frame,
    words.subject,
    html`<p style="${paragraph}">${words.hello}</p>
<p style="${paragraph}">${words.press}</p>
${mailButton(frame, url, words.button)}
${code !== null && codePart(words, code)}
<p style="${paragraph}">${words.lifetime}</p>
<p style="${paragraph}">${words.notYou}</p>
${mailAddress(words.address, url)}
<p style="${small}">${words.sentTo}</p>`,
  );
}

function codePart(words: Words, code: string): Html {
  return html`<p style="margin:0 0 8px">${words.code}</p>
<p style="margin:0 0 28px"><strong style="display:inline-block;padding:10px 20px;border:1px solid #808080;border-radius:12px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:1.3;letter-spacing:6px">${code}</strong></p>`;
}
