import { fill } from '@gatehouse/contract/fill';
import { type Html, html } from '../base/text/html.ts';
import { loginPath } from '../domain/sites/page-addresses.ts';
import { inMinutes } from '../i18n/languages.ts';
import { fillHtml, isolated, type PageFrame, page, pageTexts } from './page.ts';

export interface MessagePage {
  readonly kind:
    | 'logged_out'
    | 'unavailable'
    | 'not_found'
    | 'bad_request'
    /** The headers of the request, most of which are cookies. */
    | 'too_large'
    /** The request took too long to arrive. */
    | 'too_slow'
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
  const { texts } = pageTexts(frame);
  switch (kind) {
    case 'logged_out':
      return {
        heading: texts['message.loggedOut.title'],
        body: html`<p>${texts['message.loggedOut.text']}</p>
<p><a class="button" href="${loginPath(frame.addresses, frame.addresses.front)}">${texts['message.loggedOut.logIn']}</a></p>`,
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
    default:
      return sentence(frame, kind);
  }
}

/** The texts of a message that is a sentence, and whether a link leads to the front page. */
const sentences = {
  unavailable: { name: 'unavailable', hasLink: false },
  no_answer: { name: 'noAnswer', hasLink: false },
  not_found: { name: 'notFound', hasLink: true },
  bad_request: { name: 'badRequest', hasLink: true },
  too_large: { name: 'tooLarge', hasLink: false },
  too_slow: { name: 'tooSlow', hasLink: false },
  service_worker: { name: 'serviceWorker', hasLink: true },
  internal_error: { name: 'internalError', hasLink: true },
} as const;

function sentence(frame: PageFrame, kind: keyof typeof sentences): { heading: string; body: Html } {
  const { texts } = pageTexts(frame);
  const { front, prefix } = frame.addresses;
  const { name, hasLink } = sentences[kind];
  const values = { site: isolated(frame.site.title), path: html`<code>${prefix}/</code>` };
  const link = html`
<p><a class="button quiet" href="${front}">${texts['message.frontPage']}</a></p>`;
  return {
    heading: texts[`message.${name}.title`],
    body: html`<p>${fillHtml(texts[`message.${name}.text`], values)}</p>${hasLink && link}`,
  };
}

/** The operators' login page while there is no operator: explains how to become the first owner. */
export function noOperatorPage(frame: PageFrame): string {
  const { texts } = pageTexts(frame);
  const command = html`<code>./gatehouse operators invite</code>`;
  return page(frame, {
    heading: texts['noOperator.title'],
    body: html`<p>${texts['noOperator.link']}</p>
<p>${fillHtml(texts['noOperator.invite'], { command })}</p>`,
  });
}

/** The page for a host that belongs to no site: what visitors and the site's operators can do. */
export function noSitePage(frame: PageFrame): string {
  const { texts } = pageTexts(frame);
  const command = html`<code>./gatehouse site update &lt;site&gt; --domain &lt;domain&gt;</code>`;
  return page(frame, {
    heading: texts['noSite.title'],
    body: html`<p>${texts['noSite.visitor']}</p>
<p>${fillHtml(texts['noSite.operator'], { command })}</p>`,
  });
}
