import { html } from '../../base/text/html.ts';
import type { ComposedEmail, EmailFrame } from '../../domain/emails/email-composer.ts';
import { textsOf } from '../../i18n/languages.ts';
import {
  closingOf,
  emailAddress,
  emailButton,
  emailDocument,
  openingOf,
  paragraph,
  small,
} from './email-frame.ts';

/** The texts of an email about something that has happened, with a page to look at. */
export interface NoticeTexts {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly button: string;
  /** The URL of the button. */
  readonly url: string;
  /** To whom and why it is sent. */
  readonly sentTo: string;
}

/** Composes an email about something that has happened. */
export function noticeEmail(
  frame: EmailFrame,
  { subject, paragraphs, button, url, sentTo }: NoticeTexts,
): ComposedEmail {
  const texts = textsOf(frame.language);
  const [opening, closing] = [openingOf(frame), closingOf(frame)];
  const body = html`${opening.html}${paragraphs.map((line) => html`<p style="${paragraph}">${line}</p>\n`)}${emailButton(frame, url, button)}
${closing.html}${emailAddress(texts['email.address'], url)}
<p style="${small}">${sentTo}</p>`;
  return {
    subject,
    text: `${[...opening.lines, ...paragraphs, url, ...closing.lines, `-- \n${sentTo}`].join('\n\n')}\n`,
    html: emailDocument(frame, subject, body),
  };
}
