import type { AccessToken, Session } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { formKeyField } from '../form-key-field.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import {
  identitiesSection,
  type LinkedAccounts,
  type LinkingResult,
} from '../login-providers/identities-section.ts';
import { fillHtml, type PageFrame, page, pageTexts, problemNote } from '../page.ts';
import { addPasskeyScript } from '../passkeys/add-script.ts';
import { type AccountPasskeys, passkeySection } from '../passkeys/passkey-section.ts';
import { type AddressForms, type AddressProblem, addressSection } from './address-forms.ts';
import { endText } from './end-text.ts';
import { browserText, lastUsed, loginDetails } from './session-details.ts';

/** A browser in which the member is logged in. */
export type AccountSession = Pick<Session, 'id' | 'userAgent' | 'ipAddress' | 'lastSeenAt' | 'createdAt'> & {
  /** Whether the page is shown in this session. */
  readonly current: boolean;
};

/** An access token of the member. */
export type AccountToken = Pick<AccessToken, 'id' | 'name' | 'pathPrefix' | 'lastUsedAt' | 'expiresAt'>;

/** For how many days a new access token can be valid; '' for no end. */
export const tokenDays = ['30', '90', '365', ''] as const;
const defaultTokenDays = '365';

/** What a form of the page has just done. */
export interface AccountResult {
  /** What was saved: a new name, or a change of the passkeys or linked accounts. */
  readonly saved?: keyof typeof savedTexts | undefined;
  readonly problem?: 'invalid_name';
  /** The name as the member entered it, when it could not be saved. */
  readonly enteredName?: string;
  /** A token that was created; it is shown only this once. */
  readonly newToken?: string;
  readonly addressProblem?: AddressProblem;
  readonly linking?: LinkingResult | undefined;
  readonly tokenProblem?: 'invalid' | 'too_many' | 'sent_before';
}

export interface AccountPage extends AccountResult {
  readonly member: { readonly email: string; readonly displayName: string | null };
  readonly address: AddressForms;
  readonly passkeys: AccountPasskeys;
  /** Undefined if there is nothing to show, as on a site without login providers. */
  readonly linkedAccounts?: LinkedAccounts | undefined;
  readonly sessions: readonly AccountSession[];
  readonly tokens: readonly AccountToken[];
  /** The time zone of the site, in which ends are shown. */
  readonly timeZone: string;
  /** Whether the site lets members create access tokens. */
  readonly createsTokens: boolean;
  /** Proves that a form comes from this page. */
  readonly formKey: string;
  /** The token that was created last, also if it was deleted since. */
  readonly newestTokenId: string | null;
  readonly now: Timestamp;
}

/** The page on which members see and change their name and see where they are logged in. */
export function accountPage(frame: PageFrame, account: AccountPage): string {
  const { texts, named } = pageTexts(frame);
  return page(frame, {
    heading: texts['account.title'],
    body: html`${account.saved && html`<p class="success" role="status">${texts[savedTexts[account.saved]]}</p>`}
<dl><dt>${texts['account.email']}</dt><dd><bdi>${account.member.email}</bdi></dd></dl>
${account.problem !== undefined && problemNote(texts['account.invalidName'])}
${nameForm(frame, account)}
${addressSection(frame, keyField(account), account.address, account.addressProblem)}${passkeySection(frame, keyField(account), account.passkeys, account.now)}${account.linkedAccounts !== undefined && identitiesSection(frame, keyField(account), account.linkedAccounts, account)}<section>
<h2>${texts['account.sessions']}</h2>
<ul class="sessions">
${account.sessions.map((session, index) => sessionItem(frame, account, session, `session-${index + 1}`))}</ul>
</section>
${tokenSection(frame, account)}<section class="actions">
<form method="post" action="${frame.addresses.prefix}/logout">
<button class="quiet" type="submit">${texts['account.logOut']}</button>
</form>
<form method="post" action="${frame.addresses.prefix}/logout-everywhere">
${keyField(account)}<button class="quiet" type="submit">${texts['account.logOutEverywhere']}</button>
</form>
<p><a href="${frame.addresses.front}">${named(texts['account.frontPage'])}</a></p>
</section>`,
    scripts: account.passkeys.adding === 'possible' ? [sendOnceScript, addPasskeyScript] : [sendOnceScript],
  });
}

const savedTexts = {
  name: 'account.saved',
  passkey: 'passkeys.wasAdded',
  passkey_removed: 'passkeys.wasRemoved',
  passkeys_removed: 'passkeys.wereRemoved',
  identity_removed: 'identities.wasRemoved',
} as const;

function keyField({ formKey }: Pick<AccountPage, 'formKey'>): Html {
  return formKeyField(formKey);
}

function nameForm(frame: PageFrame, account: AccountPage): Html {
  const { texts } = pageTexts(frame);
  const { member, problem, enteredName } = account;
  return html`<form method="post" action="${frame.addresses.prefix}/account">
${keyField(account)}<label for="displayName">${texts['account.name']}</label>
<input type="text" id="displayName" name="displayName" value="${enteredName ?? member.displayName}" autocomplete="name" dir="auto"${problem !== undefined && html` autofocus aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">${texts['account.save']}</button>
</form>`;
}

/** Shown if the site lets members create tokens, or if the member has tokens. */
function tokenSection(frame: PageFrame, account: AccountPage): Html | false {
  const { texts } = pageTexts(frame);
  const { tokens, createsTokens, newToken, tokenProblem } = account;
  if (!createsTokens && tokens.length === 0) return false;
  return html`<section>
<h2>${texts['account.tokens']}</h2>
<p>${texts['account.tokensHelp']}</p>
${newToken !== undefined && html`<p class="success" role="status">${texts['account.tokenCreated']}<br><code>${newToken}</code></p>\n`}${tokenProblem !== undefined && html`<p class="problem" role="alert">${texts[`account.tokenProblem.${tokenProblem}`]}</p>\n`}<ul class="sessions">
${tokens.map((token, index) => tokenItem(frame, account, token, `token-${index + 1}`))}</ul>
${createsTokens && tokenForm(frame, account)}</section>
`;
}

/** The hidden fields show whether the same form was sent before. */
function tokenForm(frame: PageFrame, account: AccountPage): Html {
  const { texts } = pageTexts(frame);
  const { newestTokenId, now } = account;
  return html`<form method="post" action="${frame.addresses.prefix}/account/access-tokens">
${keyField(account)}<input type="hidden" name="newest" value="${newestTokenId ?? ''}">
<input type="hidden" name="shownAt" value="${now}">
<label for="tokenName">${texts['account.tokenName']}</label>
<input type="text" id="tokenName" name="name" required maxlength="100" autocomplete="off" dir="auto">
<label for="tokenPath">${texts['account.tokenPath']}</label>
<input type="text" id="tokenPath" name="pathPrefix" value="/" maxlength="500" autocomplete="off" dir="ltr">
<label for="tokenDays">${texts['account.tokenDays']}</label>
<select id="tokenDays" name="days">
${tokenDays.map(
  (
    days,
  ) => html`<option value="${days}"${days === defaultTokenDays && html` selected`}>${texts[`account.tokenDays.${days || 'unlimited'}`]}</option>
`,
)}</select>
<button type="submit">${texts['account.createToken']}</button>
</form>
`;
}

function tokenItem(frame: PageFrame, account: AccountPage, token: AccountToken, anchor: string): Html {
  const { texts } = pageTexts(frame);
  const { now } = account;
  return html`<li>
<p class="browser" id="${anchor}"><bdi>${token.name}</bdi></p>
<p class="details"><bdi>${token.pathPrefix}</bdi></p>
<p class="details">${lastUsed(texts, frame.language, token.lastUsedAt, now)}</p>
${token.expiresAt !== null && html`<p class="details">${fillHtml(texts['account.tokenEnd'], { time: endText(frame.language, token.expiresAt, account.timeZone) })}</p>\n`}<form method="post" action="${frame.addresses.prefix}/account/access-tokens/delete">
${keyField(account)}<input type="hidden" name="id" value="${token.id}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['account.deleteToken']}</button>
</form>
</li>
`;
}

function sessionItem(frame: PageFrame, account: AccountPage, session: AccountSession, anchor: string): Html {
  const { texts } = pageTexts(frame);
  const { now } = account;
  return html`<li>
<p class="browser" id="${anchor}">${browserText(texts, session.userAgent)}${session.current && html`&ensp;<span class="badge">${texts['account.thisBrowser']}</span>`}</p>
${!session.current && html`<p class="details">${lastUsed(texts, frame.language, session.lastSeenAt, now)}</p>\n`}${loginDetails(frame, session, now)}${!session.current && endForm(frame, account, session.id, anchor)}</li>
`;
}

/** All these buttons have the same text, so each is described by its browser. */
function endForm(frame: PageFrame, account: AccountPage, sessionId: string, anchor: string): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${frame.addresses.prefix}/account/sessions/end">
${keyField(account)}<input type="hidden" name="id" value="${sessionId}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['account.endSession']}</button>
</form>
`;
}
