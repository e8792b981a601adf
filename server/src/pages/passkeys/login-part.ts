import { type Html, html } from '../../base/text/html.ts';
import type { Texts } from '../../i18n/languages.ts';

/** How a page logs in with a passkey. */
export interface PasskeyLogin {
  /** The paths of its two requests: the options, and the response of the passkey. */
  readonly optionsPath: string;
  readonly loginPath: string;
  /** Whether browsers suggest passkeys in the field for the email address too. */
  readonly suggests: boolean;
}

/** The button, which is shown only where the browser supports passkeys. */
export function passkeyLogin(texts: Texts, { optionsPath, loginPath, suggests }: PasskeyLogin): Html {
  return html`<section class="aside if-passkeys" id="passkeys" data-options="${optionsPath}" data-login="${loginPath}"${suggests && html` data-suggests`}>
<p class="problem" id="passkey-problem" role="alert" hidden>${texts['login.passkeyFailed']}</p>
<button class="quiet marked" type="button" id="passkey">${passkeyMark}<span>${texts['login.passkey']}</span></button>
</section>`;
}

/** A person with a key. Drawn here: a page loads nothing of others. */
const passkeyMark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="9" cy="7" r="4"/><path d="M2 21v-1a6 6 0 0 1 6-6h3.5"/><circle cx="17.5" cy="13" r="3"/><path d="M17.5 16v6l2-2-1.500-1.500"/></g></svg>`;
