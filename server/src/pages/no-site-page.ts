import { html } from '../base/text/html.ts';
import { fillHtml, type PageFrame, page, pageTexts } from './page.ts';

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
