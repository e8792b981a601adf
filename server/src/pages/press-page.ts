import { html } from '../base/html.ts';
import { emphasized, fillHtml, type PageFrame, page, pageTexts } from './page.ts';
import { pageScript } from './page-script.ts';

export interface PressPage {
  /** The address of the link itself. */
  readonly action: string;
  /** Whom the link logs in. */
  readonly email: string;
  /** Whether this browser asked for the link: then nobody has to press. */
  readonly pressItself: boolean;
}

/** What a login link opens. Opening it changes nothing, as mail scanners open links too: somebody has to press. */
export function pressPage(frame: PageFrame, { action, email, pressItself }: PressPage): string {
  const { texts } = pageTexts(frame);
  return page(frame, {
    heading: texts['press.title'],
    body: html`<p>${fillHtml(texts['press.intro'], { email: emphasized(email) })}</p>
<form id="press" method="post" action="${action}">
<button type="submit" autofocus>${texts['press.button']}</button>
</form>`,
    scripts: pressItself ? [pressScript] : [],
  });
}

/**
 * Presses the button: not for a page that is only prepared in the background, and not for a visitor who comes back to it
 * from where the link led. A second press, while the first is on its way, would find the link used.
 */
export const pressScript = pageScript(
  'press.js',
  `'use strict';
{
  const form = document.getElementById('press');
  const [navigation] = performance.getEntriesByType('navigation');
  const isReturn = navigation !== undefined && navigation.type === 'back_forward';
  let isOnItsWay = false;

  form.addEventListener('submit', (event) => {
    if (isOnItsWay) event.preventDefault();
    isOnItsWay = true;
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) isOnItsWay = false;
  });

  if (!isReturn) {
    if (document.prerendering) {
      document.addEventListener('prerenderingchange', () => form.requestSubmit(), { once: true });
    } else {
      form.requestSubmit();
    }
  }
}
`,
);
