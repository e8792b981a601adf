import { fill } from '@gatehouse/contract/fill';
import { html } from '../../base/text/html.ts';
import { fillHtml, isolated, type PageFrame, page, pageTexts } from '../page.ts';

export interface LeavingPage {
  /** The name of the provider. */
  readonly name: string;
  /** The page of the provider, with the parameters of this login. */
  readonly url: string;
}

/**
 * Leads on to a provider. A form must not be answered with a redirect to another site: browsers apply `form-action` to
 * redirects too (Content Security Policy 3, section 6.4.1).
 */
export function leavingPage(frame: PageFrame, { name, url }: LeavingPage): string {
  const { texts } = pageTexts(frame);
  return page(frame, {
    heading: fill(texts['provider.continue'], { provider: name }),
    refreshTo: url,
    body: html`<p>${fillHtml(texts['provider.leaving'], { provider: isolated(name) })}</p>
<p><a class="button" href="${url}">${fillHtml(texts['provider.continue'], { provider: isolated(name) })}</a></p>`,
  });
}
