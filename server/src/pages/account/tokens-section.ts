import type { AccessToken } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { endText } from './end-text.ts';
import { type Row, rowList } from './row-list.ts';
import { lastUsed } from './session-details.ts';

/** An access token of the member. */
export type AccountToken = Pick<AccessToken, 'id' | 'name' | 'pathPrefix' | 'lastUsedAt' | 'expiresAt'>;

/** What the account page knows of access tokens. */
export interface AccountTokens {
  readonly tokens: readonly AccountToken[];
  /** Whether the site lets members create access tokens. */
  readonly createsTokens: boolean;
  /** The token that was created last, also if it was deleted since. */
  readonly newestTokenId: string | null;
  /** A token that was created; it is shown only this once. */
  readonly newToken?: string;
  readonly tokenProblem?: 'invalid' | 'too_many' | 'sent_before';
  /** The time zone of the site, in which ends are shown. */
  readonly timeZone: string;
  readonly now: Timestamp;
}

/** For how many days a new access token can be valid; '' for no end. */
export const tokenDays = ['30', '90', '365', ''] as const;
const defaultTokenDays = '365';

/** Shown if the site lets members create tokens, or if the member has tokens. */
export function tokensSection(frame: PageFrame, keyField: Html, account: AccountTokens): Html | false {
  const { texts } = pageTexts(frame);
  const { tokens, createsTokens, newToken, tokenProblem } = account;
  if (!createsTokens && tokens.length === 0) return false;
  const rows = tokens.map((token, index) => tokenRow(frame, keyField, token, `token-${index + 1}`, account));
  return html`<section>
<h2>${texts['account.tokens']}</h2>
<p>${texts['account.tokensHelp']}</p>
${newToken !== undefined && html`<p class="success" role="status">${texts['account.tokenCreated']}<br><code>${newToken}</code></p>\n`}${tokenProblem !== undefined && html`<p class="problem" role="alert">${texts[`account.tokenProblem.${tokenProblem}`]}</p>\n`}${rowList(frame, rows)}${createsTokens && tokenForm(frame, keyField, account)}</section>
`;
}

/** The hidden fields show whether the same form was sent before. */
function tokenForm(
  frame: PageFrame,
  keyField: Html,
  { newestTokenId, tokenProblem, now }: AccountTokens,
): Html {
  const { texts } = pageTexts(frame);
  return html`<details class="fold"${tokenProblem === 'invalid' && html` open`}>
<summary>${texts['account.createToken']}</summary>
<form method="post" action="${frame.addresses.prefix}/account/access-tokens">
${keyField}<input type="hidden" name="newest" value="${newestTokenId ?? ''}">
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
</details>
`;
}

function tokenRow(
  frame: PageFrame,
  keyField: Html,
  { id, name, pathPrefix, lastUsedAt, expiresAt }: AccountToken,
  anchor: string,
  { timeZone, now }: AccountTokens,
): Row {
  const { texts } = pageTexts(frame);
  const { language } = frame;
  return {
    anchor,
    name: isolated(name),
    details: [
      isolated(pathPrefix),
      lastUsed(texts, language, lastUsedAt, now),
      expiresAt !== null &&
        fillHtml(texts['account.tokenEnd'], { time: endText(language, expiresAt, timeZone) }),
    ],
    form: html`<form method="post" action="${frame.addresses.prefix}/account/access-tokens/delete">
${keyField}<input type="hidden" name="id" value="${id}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['account.deleteToken']}</button>
</form>
`,
  };
}
