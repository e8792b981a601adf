import { pageScript } from '../page-script.ts';

/**
 * Lets each form of a page be sent once: a second press would make the browser drop the response to the first. The form can
 * be sent again when the page is shown again, or after five seconds, because the first request may have failed.
 */
export const sendOnceScript = pageScript(
  'send-once.js',
  `'use strict';
{
  const sent = new Set();
  addEventListener('submit', (event) => {
    const form = event.target;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    sent.add(form);
    setTimeout(() => sent.delete(form), 5000);
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) sent.clear();
  });
}
`,
);
