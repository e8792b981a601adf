import type { CreateLoginLink, LoginLink, Member, Site } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { newId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { insertLoginLink, lockOpenLinks } from '../credentials/login-link-store.ts';
import { generateToken, hashToken } from '../credentials/token.ts';
import { chargeSentEmail } from '../email-budgets/email-budgets.ts';
import type { NewEvent } from '../events/event.ts';
import { recordEvents } from '../events/events.ts';
import { memberNotFound } from '../members/member.ts';
import { lockMemberRow } from '../members/member-store.ts';
import { originOf } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { linkEnd, linkUrl, queueLoginMail } from './asks.ts';
import { checkNext } from './next-path.ts';
import { makeRoomForLink } from './open-links.ts';
import { findTooManyLinks } from './operator-links.ts';

/**
 * Makes a login link for a member and mails it, or gives it to a caller who may have it.
 * @throws Refusal `member_not_found`, `member_blocked`, `site_domain_missing`, `rate_limited`, `email_budget_exhausted`
 */
export async function createMemberLoginLink(
  tx: Transaction,
  siteId: string,
  memberId: string,
  { send = true, next }: CreateLoginLink,
  cause: Cause,
  limits: EmailLimits,
): Promise<LoginLink> {
  const member = await lockMemberRow(tx, siteId, memberId);
  if (!member) throw memberNotFound();
  if (member.status === 'blocked') throw memberBlocked();
  const tooMany = (await findTooManyLinks(tx, siteId, [member.id], cause)).get(member.id);
  if (tooMany) throw tooMany;
  const site = await requireSiteWithDomain(tx, siteId);
  if (send) await chargeSentEmail(tx, siteId, 'login_link', member, limits, cause);
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
  await lockOpenLinks(tx, site.id, [email]);
  await makeRoomForLink(tx, site.id, email, false, at);
  const token = generateToken();
  const link = {
    id: newId(),
    email,
    member_id: memberId,
    token_hash: hashToken(token),
    browser_hash: null,
    known_browser_id: null,
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
