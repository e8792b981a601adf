import { type Html, html } from '../../base/text/html.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import type { Texts } from '../../i18n/languages.ts';

export interface AddPasskeyForm {
  /** Proves that the form comes from this page. */
  readonly keyField: Html;
  /** A name for the new passkey, such as that of the system; the member can enter another one if `hasNameField`. */
  readonly name: string;
  readonly hasNameField: boolean;
  /** Where the browser goes when the passkey was added. */
  readonly next: string;
}

const prefix = `${memberPages.prefix}/passkeys`;

/** The form with which the script of the page adds a passkey. It is shown only where the browser supports passkeys. */
export function addPasskeyForm(texts: Texts, { keyField, name, hasNameField, next }: AddPasskeyForm): Html {
  const shown = html`<label for="passkeyName">${texts['passkeys.name']}</label>
<input type="text" id="passkeyName" name="name" value="${name}" required maxlength="100" autocomplete="off" dir="auto">
`;
  return html`${problem('failed', texts['passkeys.problem.failed'])}${problem('InvalidStateError', texts['passkeys.problem.known'])}${problem('login_not_recent', texts['passkeys.logInFirst'])}<form class="if-passkeys" id="add-passkey" method="post" action="${prefix}/add" data-options="${prefix}/options" data-next="${next}">
${keyField}${hasNameField ? shown : html`<input type="hidden" name="name" value="${name}">\n`}<button type="submit">${texts['passkeys.add']}</button>
</form>
`;
}

/** Shown by the script: the name is the code of an error response, or the name of the browser's error. */
function problem(name: string, text: string): Html {
  return html`<p class="problem" role="alert" data-problem="${name}" hidden>${text}</p>
`;
}
