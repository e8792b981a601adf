import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import type { LoginProviderType } from '../../domain/login-providers/login-provider.ts';
import { type Row, rowList } from '../account/row-list.ts';
import { lastUsed } from '../account/session-details.ts';
import { timeAgo } from '../account/time-ago.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { providerButton, type ShownProvider } from './provider-buttons.ts';
import { providerMark } from './provider-mark.ts';

/** An account at a provider with which the member can log in. */
export interface LinkedAccount {
  readonly id: string;
  readonly label: string;
  readonly email: string | null;
  /** Identifies the account at its provider. */
  readonly subject: string;
  readonly provider: AccountProvider;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
}

interface AccountProvider {
  readonly id: string;
  readonly name: string;
  /** Null while nobody can log in with it. */
  readonly type: LoginProviderType | null;
}

/** What the account page knows of accounts at providers. */
export interface LinkedAccounts {
  readonly accounts: readonly LinkedAccount[];
  /** The providers of the site. */
  readonly providers: readonly ShownProvider[];
  /** Whether the member has just logged in by email, which linking needs. */
  readonly canLink: boolean;
}

/** What can come of linking an account. `unchanged`: it was linked before. `taken`: it is linked to another member. */
export const linkingResults = [
  'linked',
  'unchanged',
  'login_not_recent',
  'taken',
  'denied',
  'failed',
] as const;

export type LinkingResult = (typeof linkingResults)[number];

/** Where the accounts are on the account page. */
export const identitiesAnchor = 'linked-accounts';

/** The accounts at providers with which the member can log in. */
export function identitiesSection(
  frame: PageFrame,
  keyField: Html,
  linkedAccounts: LinkedAccounts,
  { linking, now }: { readonly linking?: LinkingResult | undefined; readonly now: Timestamp },
): Html {
  const { texts } = pageTexts(frame);
  const { accounts, providers } = linkedAccounts;
  const looksLike = (one: LinkedAccount, other: LinkedAccount) =>
    one !== other && one.provider.id === other.provider.id && one.label === other.label;
  const rows = accounts.map((account, index) => {
    const hasTwin = accounts.some((other) => looksLike(account, other));
    return accountRow(frame, keyField, account, { anchor: `identity-${index + 1}`, hasTwin, now });
  });
  return html`<section id="${identitiesAnchor}">
<h2>${texts['identities.title']}</h2>
<p>${texts['identities.help']}</p>
${linking !== undefined && resultNote(frame, linking)}${rowList(frame, rows)}${providers.length > 0 && linkingPart(frame, keyField, linkedAccounts)}</section>
`;
}

/** The buttons that link an account, or how to get them. */
function linkingPart(
  frame: PageFrame,
  keyField: Html,
  { accounts, providers, canLink }: LinkedAccounts,
): Html {
  if (!canLink) {
    const { texts } = pageTexts(frame);
    return html`<p class="details">${texts['identities.logInFirst']}</p>\n`;
  }
  return html`<div class="ways">
${providers.map((provider) => {
  const hasAny = accounts.some((account) => account.provider.id === provider.id);
  return linkForm(frame, keyField, provider, hasAny ? 'identities.linkAnother' : 'identities.link');
})}</div>
`;
}

function resultNote(frame: PageFrame, result: LinkingResult): Html {
  const { texts } = pageTexts(frame);
  return result === 'linked' || result === 'unchanged'
    ? html`<p class="success" role="status">${texts[`identities.${result}`]}</p>\n`
    : html`<p class="problem" role="alert">${texts[`identities.problem.${result}`]}</p>\n`;
}

function linkForm(
  frame: PageFrame,
  keyField: Html,
  provider: ShownProvider,
  name: 'identities.link' | 'identities.linkAnother',
): Html {
  const { texts } = pageTexts(frame);
  const text = fillHtml(texts[name], { provider: isolated(provider.name) });
  return html`<form method="post" action="${frame.addresses.prefix}/account/identities/link">
${keyField}<input type="hidden" name="provider" value="${provider.id}">
${providerButton(provider, text, 'quiet marked')}</form>
`;
}

interface ShownAccount {
  readonly anchor: string;
  /** Whether the member has another account of the same label there. */
  readonly hasTwin: boolean;
  readonly now: Timestamp;
}

function accountRow(
  frame: PageFrame,
  keyField: Html,
  account: LinkedAccount,
  { anchor, hasTwin, now }: ShownAccount,
): Row {
  const { texts } = pageTexts(frame);
  const { id, label, email, subject, provider, createdAt, lastUsedAt } = account;
  const name = isolated(provider.name);
  return {
    anchor,
    name: html`${provider.type !== null && html`${providerMark(provider.type)} `}${isolated(label)}`,
    details: [
      email !== null && email !== label && isolated(email),
      name,
      hasTwin && fillHtml(texts['identities.accountId'], { id: isolated(subject) }),
      provider.type === null && fillHtml(texts['identities.disabled'], { provider: name }),
      fillHtml(texts['identities.linkedAt'], { time: timeAgo(frame.language, createdAt, now) }),
      lastUsed(texts, frame.language, lastUsedAt, now),
    ],
    form: html`<form method="post" action="${frame.addresses.prefix}/account/identities/delete">
${keyField}<input type="hidden" name="id" value="${id}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['identities.remove']}</button>
</form>
`,
  };
}
