import { type Html, type HtmlValue, html } from '../base/html.ts';
import { textsOf } from '../languages/languages.ts';
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

export const paragraph = 'margin:0 0 20px';
export const small = 'margin:0 0 12px;font-size:14px;line-height:1.5';

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Hiragino Sans,Noto Sans CJK JP,sans-serif';

/** A mail in HTML. It has no colours but the button's: the mail program knows whether the page is light or dark. */
export function mailDocument({ site, language }: MailFrame, subject: string, body: HtmlValue): string {
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

/** The one thing to press. */
export function mailButton({ site }: MailFrame, url: string, text: string): Html {
  return html`<p style="margin:0 0 28px"><a href="${url}" style="${buttonStyle(site.colour)}">${text}</a></p>`;
}

/** The address behind the button, for programs that show none. */
export function mailAddress(text: string, url: string): Html {
  return html`<p style="${small}">${text}<br><a href="${url}" style="color:inherit;word-break:break-all">${url}</a></p>`;
}

/** A line break in a subject would begin another header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
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
