import { type Html, type HtmlValue, html } from '../../base/text/html.ts';
import type { EmailFrame } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import { contrast, defaultColor, textOn } from '../style/colors.ts';

export const paragraph = 'margin:0 0 20px';
export const small = 'margin:0 0 12px;font-size:14px;line-height:1.5';

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Hiragino Sans,Noto Sans CJK JP,sans-serif';

/** An email in HTML. Only the button has colors: the email program decides between light and dark. */
export function emailDocument({ site, language }: EmailFrame, subject: string, body: HtmlValue): string {
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${textsOf(language).direction}">
<head>
<meta charset="utf-8">
<title>${subject}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
</head>
<body style="margin:0;padding:0">
<div style="max-width:480px;margin:0 auto;padding:32px 20px;font-size:16px;line-height:1.6;${font}">
${site.logoUrl !== null && html`<p style="margin:0 0 16px"><img src="${site.logoUrl}" alt="" height="48" style="height:48px;max-width:200px;border:0"></p>`}
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3">${oneLine(site.title)}</h1>
${body}
</div>
</body>
</html>
`.toString();
}

/** A part of an email as paragraphs of plain text and as HTML. */
interface EmailPart {
  readonly lines: readonly string[];
  readonly html: Html;
}

/** The greeting, and the welcome of a member who is new. */
export function openingOf({ language, texts }: EmailFrame): EmailPart {
  const greeting = texts?.greeting ?? null;
  const own = ownPart([greeting, texts?.welcome ?? null]);
  if (greeting !== null) return own;
  const hello = textsOf(language)['email.hello'];
  return { lines: [hello, ...own.lines], html: html`<p style="${paragraph}">${hello}</p>\n${own.html}` };
}

/** The last paragraph of a site; often none. The preview is scrolled to it. */
export function closingOf({ texts }: EmailFrame): EmailPart {
  const own = ownPart([texts?.closing ?? null]);
  return own.lines.length === 0 ? own : { ...own, html: html`<div id="closing">${own.html}</div>\n` };
}

/** Texts of a site. Each is a paragraph with a direction of its own, and is never filled with values of the email. */
function ownPart(texts: readonly (string | null)[]): EmailPart {
  const lines = texts.filter((text) => text !== null);
  const paragraphs = lines.map(
    (text) => html`<p dir="auto" style="${paragraph}">${withLineBreaks(text)}</p>\n`,
  );
  return { lines, html: html`${paragraphs}` };
}

function withLineBreaks(text: string): Html {
  return html`${text.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}`;
}

/** The button of the email. */
export function emailButton({ site }: EmailFrame, url: string, text: string): Html {
  return html`<p style="margin:0 0 28px"><a href="${url}" style="${buttonStyle(site.color)}">${text}</a></p>`;
}

/** The address of the button, for email programs that show no button. */
export function emailAddress(text: string, url: string): Html {
  return html`<p style="${small}">${text}<br><a href="${url}" style="color:inherit;word-break:break-all">${url}</a></p>`;
}

/** Removes line breaks: one in a subject would start another header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

function buttonStyle(color: string | null): string {
  const button = color ?? defaultColor;
  return (
    `display:inline-block;padding:14px 32px;border:1px solid ${borderOf(button)};border-radius:12px;` +
    `background-color:${button};color:${textOn(button)};font-weight:600;text-decoration:none`
  );
}

/** A gray border where the button would not be visible on white or on black. */
function borderOf(button: string): string {
  const isSeen = ['#ffffff', '#1c1c1e'].every((background) => contrast(button, background) >= 3);
  return isSeen ? button : '#808080';
}
