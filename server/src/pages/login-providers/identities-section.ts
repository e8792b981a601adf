import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import type { LoginProviderType } from '../../domain/login-providers/login-provider.ts';
import { lastUsed } from '../account/session-details.ts';
import { timeAgo } from '../account/time-ago.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { providerButton, type ShownProvider } from './provider-buttons.ts';
import { providerMark } from './provider-mark.ts';

/** An account at a provider with which the member can log in. */
export interface LinkedAccount {
  readonly id: string;
  readonly label: string;
  /** Without a type while nobody can log in with it. */
  readonly provider: { readonly name: string; readonly type: LoginProviderType | null };
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
}

/** What the account page knows of accounts at providers. */
export interface LinkedAccounts {
  readonly accounts: readonly LinkedAccount[];
  /** The providers of the site. */
  readonly providers: readonly ShownProvider[];
  /** Whether the member has just logged in by email, which linking needs. */
  readonly canLink: boolean;
}

/** What can come of linking an account. `taken`: it is linked to another member. */
export const linkingResults = ['linked', 'login_not_recent', 'taken', 'denied', 'failed'] as const;

export type LinkingResult = (typeof linkingResults)[number];

/** Where the accounts are on the account page. */
export const identitiesAnchor = 'linked-accounts';

/** The accounts at providers with which the member can log in. */
export function identitiesSection(
  frame: PageFrame,
  keyField: Html,
  { accounts, providers, canLink }: LinkedAccounts,
  { linking, now }: { readonly linking?: LinkingResult | undefined; readonly now: Timestamp },
): Html {
  const { texts } = pageTexts(frame);
  return html`<section id="${identitiesAnchor}">
<h2>${texts['identities.title']}</h2>
<p>${texts['identities.help']}</p>
${linking !== undefined && resultNote(frame, linking)}<ul class="sessions">
${accounts.map((account, index) => accountItem(frame, keyField, account, { anchor: `identity-${index + 1}`, now }))}</ul>
${providers.length > 0 && linkingPart(frame, keyField, providers, canLink)}</section>
`;
}

/** @param canLink otherwise it says how */
function linkingPart(
  frame: PageFrame,
  keyField: Html,
  providers: readonly ShownProvider[],
  canLink: boolean,
): Html {
  if (!canLink) {
    const { texts } = pageTexts(frame);
    return html`<p class="details">${texts['identities.logInFirst']}</p>\n`;
  }
  return html`<div class="ways">
${providers.map((provider) => linkForm(frame, keyField, provider))}</div>
`;
}

function resultNote(frame: PageFrame, result: LinkingResult): Html {
  const { texts } = pageTexts(frame);
  return result === 'linked'
    ? html`<p class="success" role="status">${texts['identities.linked']}</p>\n`
    : html`<p class="problem" role="alert">${texts[`identities.problem.${result}`]}</p>\n`;
}

function linkForm(frame: PageFrame, keyField: Html, provider: ShownProvider): Html {
  const { texts } = pageTexts(frame);
  const text = fillHtml(texts['identities.link'], { provider: isolated(provider.name) });
  return html`<form method="post" action="${frame.addresses.prefix}/account/identities/link">
${keyField}<input type="hidden" name="provider" value="${provider.id}">
${providerButton(provider, text)}</form>
`;
}

function accountItem(
  frame: PageFrame,
  keyField: Html,
  { id, label, provider, createdAt, lastUsedAt }: LinkedAccount,
  { anchor, now }: { readonly anchor: string; readonly now: Timestamp },
): Html {
  const { texts } = pageTexts(frame);
  return html`<li>
<p class="browser" id="${anchor}">${provider.type !== null && html`${providerMark(provider.type)} `}<bdi>${label}</bdi></p>
<p class="details"><bdi>${provider.name}</bdi></p>
<p class="details">${fillHtml(texts['identities.linkedAt'], { time: timeAgo(frame.language, createdAt, now) })}</p>
<p class="details">${lastUsed(texts, frame.language, lastUsedAt, now)}</p>
<form method="post" action="${frame.addresses.prefix}/account/identities/delete">
${keyField}<input type="hidden" name="id" value="${id}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['identities.remove']}</button>
</form>
</li>
`;
}
