import type { CreateLoginLink, LoginLink, Permission } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { newId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { deleteLinksOfEmail, insertLoginLink } from '../credentials/login-link-store.ts';
import { generateToken, hashToken } from '../credentials/token.ts';
import { recordEvents } from '../events/events.ts';
import { withdrawMailsOfLinks } from '../mail/mails.ts';
import { memberNotFound } from '../members/member.ts';
import { lockMemberRow } from '../members/member-store.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import type { Transaction } from '../storage/database.ts';
import { linkEnd, linkUrl, queueLoginMail } from './asks.ts';
import { checkNext } from './next-path.ts';

/**
 * Makes a login link for a member and mails it, or gives it to a caller who may have it.
 * @throws Refusal `member_not_found`, `member_blocked`, `site_domain_missing`, `permission_denied`
 */
export async function createMemberLoginLink(
  tx: Transaction,
  siteId: string,
  memberId: string,
  { send = true, next }: CreateLoginLink,
  permissions: readonly Permission[],
  cause: Cause,
): Promise<LoginLink> {
  if (!send && !permissions.includes('login-links:write')) throw linkNotAllowed();
  const member = await lockMemberRow(tx, siteId, memberId);
  if (!member) throw memberNotFound();
  if (member.status === 'blocked') {
    throw new Refusal('member_blocked', 'Unblock the member first: no login link would work.');
  }
  const site = await findSite(tx, siteId);
  const origin = originOf(site);
  if (origin === null) {
    throw new Refusal('site_domain_missing', 'Set the domain of the site first: a login link leads there.');
  }
  await withdrawMailsOfLinks(tx, siteId, await deleteLinksOfEmail(tx, siteId, member.email));
  const token = generateToken();
  const link = {
    id: newId(),
    email: member.email,
    member_id: memberId,
    token_hash: hashToken(token),
    browser_hash: null,
    code: null,
    code_hash: null,
    tries: 0,
    next_path: checkNext(next, origin),
    language: site.languages[0]!,
    state: 'answered' as const,
    created_at: cause.at,
    expires_at: linkEnd(cause.at),
  };
  await insertLoginLink(tx, siteId, link);
  if (send) await queueLoginMail(tx, site, link, memberId, token, cause.at);
  await recordEvents(tx, siteId, cause, [
    { type: 'login-link.created', memberId, data: { memberId, loginLinkId: link.id, sent: send } },
  ]);
  return {
    id: link.id,
    memberId,
    url: send ? null : linkUrl(origin, token),
    sent: send,
    expiresAt: link.expires_at,
  };
}

function linkNotAllowed(): Refusal {
  return new Refusal(
    'permission_denied',
    'Use a key with the permission login-links:write to be given the link, or have it mailed with send: true.',
  );
}
