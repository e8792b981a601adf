import type { Member } from '@gatehouse/contract';
import type { SiteView } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { findEnabledProvider } from '../login-providers/enabled-providers.ts';
import { lookUpMember } from '../members/member-lookup.ts';
import { lockOwnMember } from '../own-account/own-session.ts';
import { provesMailbox, type StoredSession } from '../sessions/session.ts';
import { findSession } from '../sessions/sessions.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { linkAccount, notifyOfAccount } from './linked-account.ts';
import { deletePendingIdentity, selectPendingIdentity } from './pending-identity-store.ts';
import type { PendingIdentity } from './provider-login.ts';

export { findExpiredPendingIdentities, purgePendingIdentities } from './pending-identity-store.ts';

/** What the page shows that asks whether to link an account. */
export interface OfferedAccount {
  readonly providerName: string;
  readonly label: string;
  readonly email: string;
}

/**
 * The account that the member of a session may link in this browser: the session was opened by email after the login at
 * the provider, in the browser that began it, and the provider named the address of the member.
 */
export async function findPendingIdentity(
  view: SiteView,
  browserToken: string | undefined,
  sessionToken: string | undefined,
): Promise<OfferedAccount | undefined> {
  if (!isToken(browserToken)) return undefined;
  const pending = await selectPendingIdentity(view, hashToken(browserToken));
  const session = pending && (await findSession(view, sessionToken));
  const member = session && (await lookUpMember(view, session.memberId));
  if (!member || !mayLink(pending, session, member)) return undefined;
  const provider = await findEnabledProvider(view, pending.providerId);
  return provider && { providerName: provider.name, label: pending.label, email: pending.email };
}

function mayLink(
  { email, createdAt }: PendingIdentity,
  session: StoredSession,
  member: Pick<Member, 'status' | 'email'>,
): boolean {
  const isLater = session.createdAt >= createdAt;
  return member.status === 'active' && member.email === email && isLater && provesMailbox(session);
}

/**
 * Links the account after the member has confirmed it, once, under the conditions of `findPendingIdentity`. Returns false
 * when they do not hold, or the account is that of another member.
 * @throws {ApiError} `logged_out`
 */
export async function linkPendingIdentity(
  own: Change,
  session: StoredSession,
  { browserToken, language }: { readonly browserToken: string | undefined; readonly language: string },
  composer: EmailComposer,
): Promise<boolean> {
  if (!isToken(browserToken)) return false;
  const member = await lockOwnMember(own, session);
  const pending = await selectPendingIdentity(own, hashToken(browserToken));
  if (!pending || !mayLink(pending, session, member)) return false;
  if (!(await deletePendingIdentity(own, pending.browserHash))) return false;
  const provider = await findEnabledProvider(own, pending.providerId);
  if (!provider) return false;
  const account = { ...pending, provenEmail: null, reason: 'email_login' } as const;
  const outcome = await linkAccount(own, member, provider, account);
  if (outcome === 'linked') await notifyOfAccount(own, member, provider, language, composer);
  return outcome === 'linked' || outcome === 'unchanged';
}

/** Deletes the account that a browser could link. */
export async function declinePendingIdentity(
  change: Change,
  { browserToken }: { readonly browserToken: string | undefined },
): Promise<void> {
  if (isToken(browserToken)) await deletePendingIdentity(change, hashToken(browserToken));
}
