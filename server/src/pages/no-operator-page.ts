import { html } from '../base/html.ts';
import { fillHtml, type PageFrame, page, pageTexts } from './page.ts';

/** Where operators log in, as long as there is none: how the first one comes in. */
export function noOperatorPage(frame: PageFrame): string {
  const { texts } = pageTexts(frame);
  const command = html`<code>./gatehouse operator invite</code>`;
  return page(frame, {
    heading: texts['noOperator.title'],
    body: html`<p>${texts['noOperator.link']}</p>
<p>${fillHtml(texts['noOperator.invite'], { command })}</p>`,
  });
}
