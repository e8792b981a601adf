import type { CreateLoginLink, LoginLink, Member, Site } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, type Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { type FrameForMember, framesForMembers } from '../email-texts/email-texts.ts';
import { chargeSentEmail } from '../emails/email-budgets.ts';
import type { EmailComposer, EmailContext } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { linkEnd } from '../login-links/login-link.ts';
import { insertLoginLink, lockLinksOf, lockOpenLinks, makeRoomForLink } from '../login-links/login-links.ts';
import { memberNotFound } from '../members/member.ts';
import { lockMember } from '../members/member-lookup.ts';
import { generateToken, hashToken } from '../sessions/token.ts';
import { checkNext } from '../sites/next-path.ts';
import { originOf } from '../sites/site.ts';
import { loginLinkUrl } from '../sites/site-addresses.ts';
import { requireSiteWithDomain } from '../sites/sites.ts';
import { queueLoginEmail } from './login-requests.ts';
import { findTooManyLinks } from './operator-link-limit.ts';

/**
 * Creates a login link for a member, and emails it or returns it to a caller that has the permission. One that is
 * returned ends with the key of the caller, and so does the session that begins with it.
 * @param callerEnd when the key of the caller expires; null if it does not
 * @throws {ApiError} `member_not_found`, `member_blocked`, `site_domain_missing`, `rate_limited`,
 * `email_budget_exhausted`
 */
export async function createMemberLoginLink(
  change: Change,
  memberId: string,
  { send = true, next }: CreateLoginLink,
  { composer, limits }: EmailContext,
  callerEnd: Timestamp | null,
): Promise<LoginLink> {
  const member = await lockMember(change, memberId);
  if (!member) throw memberNotFound();
  if (member.status === 'blocked') throw memberBlocked();
  const tooMany = (await findTooManyLinks(change, [member.id], change.context)).get(member.id);
  if (tooMany) throw tooMany;
  const site = await requireSiteWithDomain(change);
  if (send) await chargeSentEmail(change, 'login_link', member, limits);
  const sending = send ? { composer, frameFor: await framesForMembers(change) } : null;
  const handling = { sending, endsAt: send ? null : callerEnd };
  return makeLoginLink(change, site, member, { ...handling, next });
}

/** Sends each member a login link. Their rows must be locked. @throws {ApiError} `site_domain_missing` */
export async function sendLoginLinks(
  change: Change,
  members: readonly Member[],
  composer: EmailComposer,
): Promise<void> {
  const site = await requireSiteWithDomain(change);
  await lockLinksOf(change, members);
  const sending = { composer, frameFor: await framesForMembers(change) };
  for (const member of members) await makeLoginLink(change, site, member, { sending });
}

interface LinkHandling {
  /** With what the email is written; null for a link that is not emailed. */
  readonly sending: { readonly composer: EmailComposer; readonly frameFor: FrameForMember } | null;
  readonly next?: string | undefined;
  /** When the link and the session that begins with it end at the latest. */
  readonly endsAt?: Timestamp | null;
}

/** Creates a login link for a member whose row is locked. */
async function makeLoginLink(
  change: Change,
  site: Site,
  member: Member,
  { sending, next, endsAt = null }: LinkHandling,
): Promise<LoginLink> {
  const { now } = change;
  const { id: memberId, email } = member;
  await lockOpenLinks(change, [email]);
  await makeRoomForLink(change, email, false);
  const token = generateToken();
  const link = {
    id: newId(),
    email,
    memberId,
    tokenHash: hashToken(token),
    browserHash: null,
    knownBrowserId: null,
    code: null,
    codeHash: null,
    tries: 0,
    next: checkNext(next, originOf(site)!),
    language: site.languages[0]!,
    origin: null,
    usedSessionId: null,
    status: 'processed' as const,
    createdAt: now,
    expiresAt: earlier(linkEnd(now), endsAt),
    sessionEndsAt: endsAt,
    joining: null,
  };
  await insertLoginLink(change, link);
  if (sending) {
    const frame = sending.frameFor(site, link.language, member);
    await queueLoginEmail(change, sending.composer, site, link, token, frame);
  }
  change.record({
    type: 'login-link.created',
    memberId,
    data: { memberId, loginLinkId: link.id, sent: sending !== null },
  });
  return {
    id: link.id,
    memberId,
    url: sending ? null : loginLinkUrl(site, token),
    sent: sending !== null,
    expiresAt: link.expiresAt,
  };
}

export function memberBlocked(): ApiError {
  return new ApiError(
    'member_blocked',
    'This member is blocked, so a login link would not work. Unblock the member first.',
  );
}
