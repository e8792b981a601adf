import { type Html, html } from '../../base/text/html.ts';
import { fillHtml, type PageFrame, page, pageTexts } from '../page.ts';

/** What the account page knows of a change of address. */
export interface AddressForms {
  /** The new address whose code is waited for; null if there is none. */
  readonly pendingEmail: string | null;
  /** Whether the member has just logged in by email, which a change needs. */
  readonly canChange: boolean;
  /** Of a member who can enter a code: whether to ask what happens to them. */
  readonly hasPasskeys: boolean;
  readonly hasIdentities: boolean;
}

/** What came of a form for a change of address. */
export type AddressProblem = 'invalid' | 'own_address' | 'login_not_recent' | 'wrong_code' | 'expired';

/** Where the forms are on the account page. */
export const addressAnchor = 'change-address';

/** The form for a new address, and that for its code: folded unless one of them is in use. */
export function addressForms(
  frame: PageFrame,
  keyField: Html,
  forms: AddressForms,
  problem: AddressProblem | undefined,
): Html {
  const { texts } = pageTexts(frame);
  const { pendingEmail, canChange } = forms;
  return html`<details class="fold" id="${addressAnchor}"${(pendingEmail !== null || problem !== undefined) && html` open`}>
<summary>${texts['address.title']}</summary>
${problem !== undefined && html`<p class="problem" role="alert">${texts[`address.problem.${problem}`]}</p>\n`}${pendingEmail !== null && codeForm(frame, keyField, pendingEmail, forms)}${canChange ? requestForm(frame, keyField, pendingEmail !== null) : html`<p>${texts['address.logInFirst']}</p>\n`}</details>
`;
}

/** @param again whether it is beside the form for a code */
function requestForm(frame: PageFrame, keyField: Html, again: boolean): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${frame.addresses.prefix}/account/address">
${keyField}<label for="newEmail">${texts['address.newEmail']}</label>
<input type="email" id="newEmail" name="email" required autocomplete="email" dir="ltr">
<button${again && html` class="quiet"`} type="submit">${texts['address.sendCode']}</button>
</form>
`;
}

function codeForm(
  frame: PageFrame,
  keyField: Html,
  email: string,
  { hasPasskeys, hasIdentities }: AddressForms,
): Html {
  const { texts } = pageTexts(frame);
  return html`<p>${fillHtml(texts['address.codeSent'], { email: html`<bdi>${email}</bdi>` })}</p>
<form method="post" action="${frame.addresses.prefix}/account/address/code">
${keyField}<label for="addressCode">${texts['address.code']}</label>
<input type="text" id="addressCode" name="code" required inputmode="numeric" autocomplete="one-time-code" dir="ltr">
${hasPasskeys && html`<label><input type="checkbox" name="keepPasskeys" value="yes"> ${texts['address.keepPasskeys']}</label>\n`}${hasIdentities && html`<label><input type="checkbox" name="keepIdentities" value="yes"> ${texts['address.keepIdentities']}</label>\n`}<button type="submit">${texts['address.confirm']}</button>
</form>
`;
}

/** What a link in an email to a former address leads to. */
export type TakeBackPage =
  | { readonly kind: 'confirm'; readonly action: string; readonly email: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'ended' };

/** The page on which the former address of a member takes a change back. It has one button, as opening it changes nothing. */
export function takeBackPage(frame: PageFrame, shown: TakeBackPage): string {
  const { texts } = pageTexts(frame);
  if (shown.kind !== 'confirm') {
    return page(frame, {
      heading: texts['takeBack.title'],
      body: html`<p>${texts[`takeBack.${shown.kind}`]}</p>`,
    });
  }
  return page(frame, {
    heading: texts['takeBack.title'],
    body: html`<p>${fillHtml(texts['takeBack.intro'], { email: html`<bdi>${shown.email}</bdi>` })}</p>
<form method="post" action="${shown.action}">
<button type="submit">${texts['takeBack.button']}</button>
</form>`,
  });
}
