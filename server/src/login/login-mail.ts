import { type Html, html } from '../base/html.ts';
import { fill, inMinutes, type Texts, textsOf } from '../languages/languages.ts';
import { contrast, textOn, usualColour } from './login-mail-colours.ts';

/** Whose mail it is, and in which language. */
export interface MailFrame {
  readonly site: {
    readonly title: string;
    /** `#rrggbb` */
    readonly colour: string | null;
    readonly logoUrl: string | null;
  };
  readonly language: string;
}

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

/** The mail that logs a member in: a subject of one line, and the same in plain text and in HTML. */
export function loginMail(
  frame: MailFrame,
  mail: LoginMail,
): { subject: string; text: string; html: string } {
  const words = wordsOf(frame, mail);
  return { subject: words.subject, text: textPart(words, mail), html: htmlPart(frame, words, mail) };
}

type Words = ReturnType<typeof wordsOf>;

function wordsOf({ site, language }: MailFrame, { code, minutes, email, origin }: LoginMail) {
  const texts: Texts = textsOf(language);
  const values = { site: oneLine(site.title), email: oneLine(email), origin, code: code ?? '' };
  return {
    site: values.site,
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

/** A line break in a subject would begin another header. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
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

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Hiragino Sans,Noto Sans CJK JP,sans-serif';
const paragraph = 'margin:0 0 20px';
const small = 'margin:0 0 12px;font-size:14px;line-height:1.5';

/** No colours but the button's: the mail program knows whether the page is light or dark. */
function htmlPart({ site, language }: MailFrame, words: Words, { url, code }: LoginMail): string {
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${textsOf(language).direction}">
<head>
<meta charset="utf-8">
<title>${words.subject}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
</head>
<body style="margin:0;padding:0">
<div style="max-width:480px;margin:0 auto;padding:32px 20px;font-size:16px;line-height:1.6;${font}">
${site.logoUrl !== null && html`<p style="margin:0 0 16px"><img src="${site.logoUrl}" alt="" height="48" style="height:48px;max-width:200px;border:0"></p>`}
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3">${words.site}</h1>
<p style="${paragraph}">${words.hello}</p>
<p style="${paragraph}">${words.press}</p>
<p style="margin:0 0 28px"><a href="${url}" style="${buttonStyle(site.colour)}">${words.button}</a></p>
${code !== null && codePart(words, code)}
<p style="${paragraph}">${words.lifetime}</p>
<p style="${paragraph}">${words.notYou}</p>
<p style="${small}">${words.address}<br><a href="${url}" style="color:inherit;word-break:break-all">${url}</a></p>
<p style="${small}">${words.sentTo}</p>
</div>
</body>
</html>
`.toString();
}

function codePart(words: Words, code: string): Html {
  return html`<p style="margin:0 0 8px">${words.code}</p>
<p style="margin:0 0 28px"><strong style="display:inline-block;padding:10px 20px;border:1px solid #808080;border-radius:12px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:1.3;letter-spacing:6px">${code}</strong></p>`;
}

function buttonStyle(colour: string | null): string {
  const button = colour ?? usualColour;
  return (
    `display:inline-block;padding:14px 32px;border:1px solid ${borderOf(button)};border-radius:12px;` +
    `background-color:${button};color:${textOn(button)};font-weight:600;text-decoration:none`
  );
}

/** Grey, where the button would be lost on white or on black. */
function borderOf(button: string): string {
  const isSeen = ['#ffffff', '#1c1c1e'].every((background) => contrast(button, background) >= 3);
  return isSeen ? button : '#808080';
}
