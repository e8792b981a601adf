import type { IdentityLink, Member } from '@gatehouse/contract';
import { framesForMembers } from '../email-texts/email-texts.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { linkIdentity } from '../identities/identities.ts';
import type { AccountKey, LinkOutcome } from '../identities/identity.ts';
import type { StoredLoginProvider } from '../login-providers/login-provider.ts';
import { hasTooManyNotices } from '../logins/notice-limit.ts';
import { originOf } from '../sites/site.ts';
import { accountUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';

/** An account, and why it may be linked. */
export interface LinkableAccount extends AccountKey {
  readonly email: string | null;
  readonly label: string;
  /** As in `NewIdentity`. */
  readonly provenEmail: string | null;
  readonly reason: IdentityLink;
}

/** Links an account to a member whose row is locked. */
export function linkAccount(
  change: Change,
  { id: memberId }: Pick<Member, 'id'>,
  { id: providerId, name: providerName }: StoredLoginProvider,
  account: LinkableAccount,
): Promise<LinkOutcome> {
  const { issuer, subject, email, label, provenEmail, reason } = account;
  const named = { issuer, subject, email, label, provenEmail, reason };
  return linkIdentity(change, { ...named, memberId, providerId, providerName });
}

/** Tells a member by email that an account was linked. */
export async function notifyOfAccount(
  change: Change,
  member: Member,
  { name: provider }: StoredLoginProvider,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { id: memberId, email } = member;
  const site = await findSite(change);
  const origin = originOf(site);
  if (origin === null || (await hasTooManyNotices(change, memberId, 'account_linked'))) return;
  const content = { provider, url: accountUrl(site), email, origin };
  const frame = (await framesForMembers(change))(site, language, member);
  const composed = composer.accountLinkedEmail(frame, content);
  await queueNotice(change, { type: 'account_linked', recipient: email, memberId }, site, composed);
}
