import {
  type CreateLoginLink,
  grants,
  type LoginLink,
  type Member,
  type Permission,
  type Site,
} from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { deleteLinksOfEmail, insertLoginLink } from '../credentials/login-link-store.ts';
import { generateToken, hashToken } from '../credentials/token.ts';
import type { NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { withdrawMailsOfLinks } from '../mail/mails.ts';
import { memberNotFound } from '../members/member.ts';
import { lockMemberRow } from '../members/member-store.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { linkEnd, linkUrl, queueLoginMail } from './asks.ts';
import { checkNext } from './next-path.ts';
import { findTooManyLinks } from './operator-links.ts';

/**
 * Makes a login link for a member and mails it, or gives it to a caller who may have it.
 * @throws Refusal `member_not_found`, `member_blocked`, `site_domain_missing`, `permission_denied`, `rate_limited`
 */
export async function createMemberLoginLink(
  tx: Transaction,
  siteId: string,
  memberId: string,
  { send = true, next }: CreateLoginLink,
  permissions: readonly Permission[],
  cause: Cause,
): Promise<LoginLink> {
  if (!send && !grants(permissions, 'login-links:write')) throw linkNotAllowed();
  const member = await lockMemberRow(tx, siteId, memberId);
  if (!member) throw memberNotFound();
  if (member.status === 'blocked') throw memberBlocked();
  const tooMany = (await findTooManyLinks(tx, siteId, [member.id], cause)).get(member.id);
  if (tooMany) throw tooMany;
  const site = await requireSiteWithDomain(tx, siteId);
  const { link, event } = await makeLoginLink(tx, site, member, { send, next }, cause.at);
  await recordEvents(tx, siteId, cause, [event]);
  return link;
}

/** The site, which a login link can lead to. @throws Refusal `site_domain_missing` */
export async function requireSiteWithDomain(db: Queries, siteId: string): Promise<Site> {
  const site = await findSite(db, siteId);
  if (originOf(site) !== null) return site;
  throw new Refusal(
    'site_domain_missing',
    'The site has no domain, to which a login link could lead. Set the domain of the site first.',
  );
}

/** Makes a login link for a member whose row is locked. Gives the event to record. */
export async function makeLoginLink(
  tx: Transaction,
  site: Site,
  { id: memberId, email }: Pick<Member, 'id' | 'email'>,
  { send, next }: { readonly send: boolean; readonly next?: string | undefined },
  at: Timestamp,
): Promise<{ link: LoginLink; event: NewEvent }> {
  await withdrawMailsOfLinks(tx, site.id, await deleteLinksOfEmail(tx, site.id, email), at);
  const token = generateToken();
  const link = {
    id: newId(),
    email,
    member_id: memberId,
    token_hash: hashToken(token),
    browser_hash: null,
    code: null,
    code_hash: null,
    tries: 0,
    next_path: checkNext(next, originOf(site)!),
    language: site.languages[0]!,
    origin: null,
    state: 'answered' as const,
    created_at: at,
    expires_at: linkEnd(at),
  };
  await insertLoginLink(tx, site.id, link);
  if (send) await queueLoginMail(tx, site, link, memberId, token, at);
  return {
    link: {
      id: link.id,
      memberId,
      url: send ? null : linkUrl(site, token),
      sent: send,
      expiresAt: link.expires_at,
    },
    event: {
      type: 'login-link.created',
      memberId,
      data: { memberId, loginLinkId: link.id, sent: send },
    },
  };
}

export function memberBlocked(): Refusal {
  return new Refusal(
    'member_blocked',
    'This member is blocked, so no login link would work. Unblock the member first.',
  );
}

function linkNotAllowed(): Refusal {
  return new Refusal(
    'permission_denied',
    'This API key lacks the permission login-links:write, so it is not given the link. Use a key that has it, or have the link emailed with send: true.',
  );
}
