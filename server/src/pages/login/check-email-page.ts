import { type Html, html } from '../../base/text/html.ts';
import { loginPath } from '../../domain/sites/page-addresses.ts';
import { emphasized, fillHtml, type PageFrame, page, pageTexts, problemNote } from '../page.ts';
import { passkeyOfferScript } from '../passkeys/offer-script.ts';
import { codeScript } from './code-script.ts';
import { sendOnceScript } from './send-once-script.ts';

export interface CheckEmailPage {
  /** The address that the visitor entered. */
  readonly email: string;
  /** Where to go after the login. */
  readonly next: string;
  /** The provider at which the login began, which does not vouch for the address. */
  readonly unconfirmedBy?: string | null;
  /** Whether a passkey may be offered after the login, if the device can hold one. */
  readonly offersPasskey?: boolean;
  /** Whether people who are not members become members by logging in. */
  readonly offersSignUp?: boolean;
  /** Where somebody who wants to join requests a new email: null for who has to open the invitation again. */
  readonly joinPath?: string | null;
  /** `code_invalid`: too many wrong codes were entered, or the code has expired. */
  readonly problem?: 'wrong_code' | 'code_invalid';
}

/** Says that an email was sent, and accepts its code. The page is the same for members and for everyone else. */
export function checkEmailPage(frame: PageFrame, content: CheckEmailPage): string {
  const { email, next, joinPath, problem, offersPasskey = false, unconfirmedBy = null } = content;
  const { texts, named } = pageTexts(frame);
  const isJoining = joinPath !== undefined;
  const again = isJoining ? joinPath : loginPath(frame.addresses, next);
  const canTypeCode = problem !== 'code_invalid';
  const codeIntro = content.offersSignUp ? 'checkEmail.introSignUp' : 'checkEmail.intro';
  const loginIntro = canTypeCode ? codeIntro : 'checkEmail.introLink';
  const intro = texts[isJoining ? 'checkEmail.introJoining' : loginIntro];
  return page(frame, {
    heading: texts['checkEmail.title'],
    body: html`<p id="sent">${fillHtml(intro, { email: emphasized(email) })}</p>
${unconfirmedBy !== null && html`<p>${fillHtml(texts['provider.unconfirmed'], { provider: emphasized(unconfirmedBy) })}</p>`}
${problem === 'wrong_code' && problemNote(texts['checkEmail.wrongCode'])}
${canTypeCode ? codeForm(frame, problem === 'wrong_code', isJoining) : problemNote(texts['checkEmail.codeInvalid'])}
<section class="aside">
<h2>${texts['checkEmail.noEmail']}</h2>
<ul>
<li>${texts['checkEmail.wait']}</li>
<li>${isJoining ? texts['checkEmail.joiningAddress'] : named(texts['checkEmail.address'])}</li>
</ul>
${again !== null && html`<p><a class="button quiet" href="${again}">${texts['checkEmail.requestAgain']}</a></p>`}
</section>`,
    scripts: canTypeCode ? [sendOnceScript, ...(offersPasskey ? [passkeyOfferScript] : []), codeScript] : [],
  });
}

/** Six digits, in any grouping, also as full-width digits from a Japanese keyboard. */
const codePattern = '\\s*(?:[0-9０-９][\\s.\\-–]*){6}';

/**
 * The field has the focus, so that a code can be typed or pasted at once. On phones too: they scroll to the field, right
 * below the sentence, and show no keyboard before a touch. Screen readers read the sentence or the problem with the field.
 */
function codeForm(frame: PageFrame, isWrong: boolean, isJoining: boolean): Html {
  const { texts } = pageTexts(frame);
  return html`<form id="code-form" method="post" action="${frame.addresses.prefix}/code">
<label for="code">${texts['checkEmail.code']}</label>
<input class="code" type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="${codePattern}" maxlength="50" title="${texts['checkEmail.code']}" spellcheck="false" dir="ltr" required autofocus aria-describedby="${isWrong ? 'problem' : 'sent'}"${isWrong && html` aria-invalid="true"`}>
<button type="submit">${texts[isJoining ? 'checkEmail.continue' : 'checkEmail.logIn']}</button>
</form>`;
}
