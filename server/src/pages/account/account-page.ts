import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { formKeyField } from '../form-key-field.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import {
  identitiesSection,
  type LinkedAccounts,
  type LinkingResult,
} from '../login-providers/identities-section.ts';
import { emphasized, isolated, type PageFrame, page, pageTexts, problemNote } from '../page.ts';
import { addPasskeyScript } from '../passkeys/add-script.ts';
import { type AccountPasskeys, passkeySection } from '../passkeys/passkey-section.ts';
import { type AddressForms, type AddressProblem, addressForms } from './address-forms.ts';
import { type AccountGroup, groupsSection } from './groups-section.ts';
import { type AccountSession, sessionsSection } from './sessions-section.ts';
import { type AccountTokens, tokensSection } from './tokens-section.ts';

/** What a form of the page has just done. */
export interface AccountResult extends Pick<AccountTokens, 'newToken' | 'tokenProblem'> {
  /** What was saved: a new name, or a change of the passkeys or linked accounts. */
  readonly saved?: keyof typeof savedTexts | undefined;
  readonly problem?: 'invalid_name';
  /** The name as the member entered it, when it could not be saved. */
  readonly enteredName?: string;
  readonly addressProblem?: AddressProblem;
  readonly linking?: LinkingResult | undefined;
}

export interface AccountPage extends AccountResult, AccountTokens {
  readonly member: { readonly email: string; readonly displayName: string | null };
  readonly address: AddressForms;
  /** Ordered by name. */
  readonly groups: readonly AccountGroup[];
  readonly passkeys: AccountPasskeys;
  /** Undefined if there is nothing to show, as on a site without login providers. */
  readonly linkedAccounts?: LinkedAccounts | undefined;
  readonly sessions: readonly AccountSession[];
  /** Proves that a form comes from this page. */
  readonly formKey: string;
  readonly now: Timestamp;
}

/** The page on which members see what they have, change their name, and see where they are logged in. */
export function accountPage(frame: PageFrame, account: AccountPage): string {
  const { texts, named } = pageTexts(frame);
  const { saved, passkeys, linkedAccounts, sessions, now } = account;
  const keyField = formKeyField(account.formKey);
  return page(frame, {
    heading: texts['account.title'],
    isWide: true,
    body: html`${saved && html`<p class="success" role="status">${texts[savedTexts[saved]]}</p>`}
${identity(account)}
${groupsSection(frame, account)}${profileSection(frame, keyField, account)}${passkeySection(frame, keyField, passkeys, now)}${linkedAccounts !== undefined && identitiesSection(frame, keyField, linkedAccounts, account)}${sessionsSection(frame, keyField, sessions, now)}${tokensSection(frame, keyField, account)}<section class="actions">
<form method="post" action="${frame.addresses.prefix}/logout">
<button class="quiet" type="submit">${texts['account.logOut']}</button>
</form>
<p><a href="${frame.addresses.front}">${named(texts['account.frontPage'])}</a></p>
</section>`,
    scripts: passkeys.adding === 'possible' ? [sendOnceScript, addPasskeyScript] : [sendOnceScript],
  });
}

const savedTexts = {
  name: 'account.saved',
  passkey: 'passkeys.wasAdded',
  passkey_removed: 'passkeys.wasRemoved',
  passkeys_removed: 'passkeys.wereRemoved',
  identity_removed: 'identities.wasRemoved',
} as const;

/** Who is logged in. */
function identity({ member: { email, displayName } }: AccountPage): Html {
  return displayName === null
    ? html`<p class="identity">${emphasized(email)}</p>`
    : html`<p class="identity">${emphasized(displayName)}<br><span class="details">${isolated(email)}</span></p>`;
}

/** The forms for the name and the email address. */
function profileSection(frame: PageFrame, keyField: Html, account: AccountPage): Html {
  const { texts } = pageTexts(frame);
  const { member, problem, enteredName } = account;
  return html`<section>
<h2>${texts['account.profile']}</h2>
${problem !== undefined && problemNote(texts['account.invalidName'])}
<form method="post" action="${frame.addresses.prefix}/account">
${keyField}<label for="displayName">${texts['account.name']}</label>
<input type="text" id="displayName" name="displayName" value="${enteredName ?? member.displayName}" autocomplete="name" dir="auto"${problem !== undefined && html` autofocus aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">${texts['account.save']}</button>
</form>
${addressForms(frame, keyField, account.address, account.addressProblem)}</section>
`;
}
