import { html } from '../../base/text/html.ts';
import { type EnteredFields, type JoinProblem, joinProblemNote, requestFields } from '../joining/fields.ts';
import { emphasized, fillHtml, type PageFrame, page, pageTexts } from '../page.ts';
import { pageScript } from '../page-script.ts';
import { passkeyOfferScript } from '../passkeys/offer-script.ts';
import { sendOnceScript } from './send-once-script.ts';

export interface ConfirmLoginPage {
  /** The address of the link itself. */
  readonly action: string;
  /** The email address of the member whom the link logs in. */
  readonly email: string;
  /** Whether this browser requested the link. Then the form submits itself. */
  readonly autoSubmit: boolean;
  /** Whether a passkey may be offered after the login, if the device can hold one. */
  readonly offersPasskey?: boolean;
  /** What the person has entered who asks to join; null or omitted for a login. */
  readonly joinRequest?: Pick<EnteredFields, 'displayName' | 'message'> | null;
  readonly problem?: JoinProblem | null;
}

/**
 * The page of a login link. Opening it changes nothing, because email scanners open links too: the form must be
 * submitted.
 */
export function confirmLoginPage(frame: PageFrame, content: ConfirmLoginPage): string {
  const { texts } = pageTexts(frame);
  const { action, email, autoSubmit, offersPasskey = false, joinRequest, problem = null } = content;
  const name = joinRequest ? 'confirmRequest' : 'confirmLogin';
  return page(frame, {
    heading: texts[`${name}.title`],
    body: html`<p>${fillHtml(texts[`${name}.intro`], { email: emphasized(email) })}</p>
${joinProblemNote(frame, texts, problem)}
<form id="press" method="post" action="${action}">
${joinRequest && html`${requestFields(frame, joinRequest, problem)}\n`}<button type="submit"${!joinRequest && html` autofocus`}>${texts[`${name}.button`]}</button>
</form>`,
    scripts: [
      sendOnceScript,
      ...(offersPasskey ? [passkeyOfferScript] : []),
      ...(autoSubmit ? [confirmLoginScript] : []),
    ],
  });
}

/**
 * Submits the form, except on a page that is only prerendered and for a visitor who returns to it with the back
 * button. It waits for what `passkeyOfferScript` adds to the form.
 */
export const confirmLoginScript = pageScript(
  'press.js',
  `'use strict';
{
  const form = document.getElementById('press');
  const [navigation] = performance.getEntriesByType('navigation');
  const isReturn = navigation !== undefined && navigation.type === 'back_forward';
  const submit = () => Promise.resolve(globalThis.passkeyCheck).then(() => form.requestSubmit());

  if (!isReturn) {
    if (document.prerendering) document.addEventListener('prerenderingchange', submit, { once: true });
    else submit();
  }
}
`,
);
