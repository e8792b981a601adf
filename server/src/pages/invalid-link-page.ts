import { html } from '../base/html.ts';
import { loginPath } from '../domain/sites/page-addresses.ts';
import { type PageFrame, page, pageTexts } from './page.ts';

/** Says that a login link was used, has expired or was replaced, and offers a new one that leads to `next`. */
export function invalidLinkPage(frame: PageFrame, { next }: { readonly next: string }): string {
  const { texts } = pageTexts(frame);
  return page(frame, {
    heading: texts['invalidLink.title'],
    body: html`<p>${texts['invalidLink.intro']}</p>
<p><a class="button" href="${loginPath(frame.addresses, next)}">${texts['invalidLink.requestAgain']}</a></p>`,
  });
}
