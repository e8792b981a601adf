import { html } from '../../base/text/html.ts';
import { loginPath } from '../../domain/sites/page-addresses.ts';
import { type PageFrame, page, pageTexts } from '../page.ts';

export interface InvalidLinkPage {
  /** Where a new link leads to. */
  readonly next: string;
  /** Whether the code of a login request of this browser can still be entered. */
  readonly canEnterCode: boolean;
}

/** Says that a login link was used, has expired or was replaced, and offers the code or a new link. */
export function invalidLinkPage(frame: PageFrame, { next, canEnterCode }: InvalidLinkPage): string {
  const { texts } = pageTexts(frame);
  const newLink = loginPath(frame.addresses, next);
  return page(frame, {
    heading: texts['invalidLink.title'],
    body: html`<p>${texts['invalidLink.intro']}</p>
${
  canEnterCode &&
  html`<p>${texts['invalidLink.code']}</p>
<p><a class="button" href="${frame.addresses.prefix}/check">${texts['invalidLink.enterCode']}</a></p>
`
}<p><a class="button${canEnterCode && ' quiet'}" href="${newLink}">${texts['invalidLink.requestAgain']}</a></p>`,
  });
}
