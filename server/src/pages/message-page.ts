import { type Html, html } from '../base/html.ts';
import { loginPath } from '../domain/sites/page-addresses.ts';
import { fill, inMinutes } from '../i18n/languages.ts';
import { fillHtml, isolated, type PageFrame, page, pageTexts } from './page.ts';

export interface MessagePage {
  readonly kind:
    | 'logged_out'
    | 'unavailable'
    | 'not_found'
    | 'bad_request'
    /** A service worker of the site passes on the request for a page that shows personal data, or for a form of it. */
    | 'service_worker'
    | 'internal_error'
    | 'too_many'
    /** The program that makes the pages of the site does not answer. */
    | 'no_answer';
  /** The ID under which the request is found in the log. */
  readonly requestId?: string;
  /** When to try again after `too_many`. */
  readonly waitMinutes?: number;
}

/** A page with a single message and the next step. */
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
  const frontPage = html`<p><a class="button quiet" href="${frame.addresses.front}">${texts['message.frontPage']}</a></p>`;
  switch (kind) {
    case 'logged_out':
      return {
        heading: texts['message.loggedOut.title'],
        body: html`<p>${texts['message.loggedOut.text']}</p>
<p><a class="button" href="${loginPath(frame.addresses, frame.addresses.front)}">${texts['message.loggedOut.logIn']}</a></p>`,
      };
    case 'unavailable':
      return {
        heading: texts['message.unavailable.title'],
        body: html`<p>${named(texts['message.unavailable.text'])}</p>`,
      };
    case 'no_answer':
      return {
        heading: texts['message.noAnswer.title'],
        body: html`<p>${named(texts['message.noAnswer.text'])}</p>`,
      };
    case 'not_found':
      return {
        heading: texts['message.notFound.title'],
        body: html`<p>${texts['message.notFound.text']}</p>
${frontPage}`,
      };
    case 'bad_request':
      return {
        heading: texts['message.badRequest.title'],
        body: html`<p>${texts['message.badRequest.text']}</p>
${frontPage}`,
      };
    case 'service_worker':
      return {
        heading: texts['message.serviceWorker.title'],
        body: html`<p>${fillHtml(texts['message.serviceWorker.text'], {
          site: isolated(frame.site.title),
          path: html`<code>${frame.addresses.prefix}/</code>`,
        })}</p>
${frontPage}`,
      };
    case 'internal_error':
      return {
        heading: texts['message.internalError.title'],
        body: html`<p>${named(texts['message.internalError.text'])}</p>
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
