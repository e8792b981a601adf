import { fill } from '@gatehouse/contract/fill';
import { type Html, html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame, LoginEmail } from '../../domain/emails/email-composer.ts';
import { inMinutes, type Texts, textsOf } from '../../i18n/languages.ts';
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

/**
 * The email that logs a member in: a subject on one line, and the same content in plain text and in HTML. The subject
 * without the code is for lists that others can read.
 */
export function loginEmail(
  frame: EmailFrame,
  email: LoginEmail,
): ComposedEmail & { readonly subjectWithoutCode: string } {
  const words = wordsOf(frame, email);
  const { subject, subjectWithoutCode } = words;
  return {
    subject,
    subjectWithoutCode,
    text: textPart(frame, words, email),
    html: htmlPart(frame, words, email),
  };
}

type Words = ReturnType<typeof wordsOf>;

function wordsOf({ site, language }: EmailFrame, { code, minutes, email, origin }: LoginEmail) {
  const texts: Texts = textsOf(language);
  const values = { site: oneLine(site.title), email: oneLine(email), origin, code: code ?? '' };
  return {
    subjectWithoutCode: fill(texts['email.subject'], values),
    subject: fill(texts[code === null ? 'email.subject' : 'email.subjectWithCode'], values),
    intro: fill(texts['email.intro'], values),
    button: texts['email.button'],
    address: texts['email.address'],
    code: texts['email.code'],
    lifetime: fill(texts[code === null ? 'email.lifetime' : 'email.lifetimeWithCode'], {
      time: inMinutes(language, minutes),
    }),
    notYou: texts['email.notYou'],
    sentTo: fill(texts['email.sentTo'], values),
  };
}

function textPart(frame: EmailFrame, words: Words, { url, code }: LoginEmail): string {
  const paragraphs = [
    ...openingOf(frame).lines,
    `${words.intro}\n\n${url}`,
    ...(code === null ? [] : [`${words.code}\n\n    ${code}`]),
    words.lifetime,
    words.notYou,
    ...closingOf(frame).lines,
    `-- \n${words.sentTo}`,
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

function htmlPart(frame: EmailFrame, words: Words, { url, code }: LoginEmail): string {
  return emailDocument(
    frame,
    words.subject,
    html`${openingOf(frame).html}<p style="${paragraph}">${words.intro}</p>
${emailButton(frame, url, words.button)}
${code !== null && codePart(words, code)}
<p style="${paragraph}">${words.lifetime}</p>
<p style="${paragraph}">${words.notYou}</p>
${closingOf(frame).html}${emailAddress(words.address, url)}
<p style="${small}">${words.sentTo}</p>`,
  );
}

function codePart(words: Words, code: string): Html {
  return html`<p style="margin:0 0 8px">${words.code}</p>
<p style="margin:0 0 28px"><strong style="display:inline-block;padding:10px 20px;border:1px solid #808080;border-radius:12px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:1.3;letter-spacing:6px">${code}</strong></p>`;
}
