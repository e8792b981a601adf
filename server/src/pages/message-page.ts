import { type Html, html } from '../base/html.ts';
import { fill, inMinutes } from '../languages/languages.ts';
import { fillHtml, isolated, loginAddress, type PageFrame, page, pageTexts } from './page.ts';

export interface MessagePage {
  readonly kind: 'signed_out' | 'unavailable' | 'not_found' | 'refused' | 'fault' | 'too_many';
  /** By which the log is searched. */
  readonly requestId?: string;
  /** When to try again after `too_many`. */
  readonly waitMinutes?: number;
}

/** Says one thing, and what to do next. */
export function messagePage(frame: PageFrame, message: MessagePage): string {
  const { texts } = pageTexts(frame);
  const { requestId } = message;
  const { heading, body } = parts(frame, message);
  const number =
    requestId !== undefined &&
    html`<p class="details">${fillHtml(texts['message.requestId'], { requestId: isolated(requestId) })}</p>`;
  return page(frame, { heading, body: [body, number] });
}

function parts(frame: PageFrame, { kind, waitMinutes }: MessagePage): { heading: string; body: Html } {
  const { texts, named } = pageTexts(frame);
  const frontPage = html`<p><a class="button quiet" href="${frame.realm.front}">${texts['message.frontPage']}</a></p>`;
  switch (kind) {
    case 'signed_out':
      return {
        heading: texts['message.signedOut.title'],
        body: html`<p>${texts['message.signedOut.text']}</p>
<p><a class="button" href="${loginAddress(frame, frame.realm.front)}">${texts['message.signedOut.logIn']}</a></p>`,
      };
    case 'unavailable':
      return {
        heading: texts['message.unavailable.title'],
        body: html`<p>${named(texts['message.unavailable.text'])}</p>`,
      };
    case 'not_found':
      return {
        heading: texts['message.notFound.title'],
        body: html`<p>${texts['message.notFound.text']}</p>
${frontPage}`,
      };
    case 'refused':
      return {
        heading: texts['message.refused.title'],
        body: html`<p>${texts['message.refused.text']}</p>
${frontPage}`,
      };
    case 'fault':
      return {
        heading: texts['message.fault.title'],
        body: html`<p>${named(texts['message.fault.text'])}</p>
${frontPage}`,
      };
    case 'too_many':
      return {
        heading: texts['message.tooMany.title'],
        body: html`<p>${
          waitMinutes === undefined
            ? texts['message.tooMany.later']
            : fill(texts['message.tooMany.text'], { time: inMinutes(frame.language, waitMinutes) })
        }</p>`,
      };
  }
}
