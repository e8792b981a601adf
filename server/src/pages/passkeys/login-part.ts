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
<button class="quiet" type="button" id="passkey">${texts['login.passkey']}</button>
</section>`;
}
