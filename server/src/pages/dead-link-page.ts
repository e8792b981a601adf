import { html } from '../base/html.ts';
import { loginAddress, type PageFrame, page, pageTexts } from './page.ts';

/** Says that a login link was used, is too old or was replaced, and offers a new one that leads to `next`. */
export function deadLinkPage(frame: PageFrame, { next }: { readonly next: string }): string {
  const { texts } = pageTexts(frame);
  return page(frame, {
    heading: texts['deadLink.title'],
    body: html`<p>${texts['deadLink.intro']}</p>
<p><a class="button" href="${loginAddress(frame, next)}">${texts['deadLink.askAgain']}</a></p>`,
  });
}
