import { html } from '../base/text/html.ts';
import { fillHtml, type PageFrame, page, pageTexts } from './page.ts';

/** The operators' login page while there is no operator: explains how to become the first owner. */
export function noOperatorPage(frame: PageFrame): string {
  const { texts } = pageTexts(frame);
  const command = html`<code>./gatehouse operator invite</code>`;
  return page(frame, {
    heading: texts['noOperator.title'],
    body: html`<p>${texts['noOperator.link']}</p>
<p>${fillHtml(texts['noOperator.invite'], { command })}</p>`,
  });
}
