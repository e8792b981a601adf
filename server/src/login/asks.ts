import type { Site } from '@gatehouse/contract';
import { systemCause } from '../base/cause.ts';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { newId } from '../base/ids.ts';
import { isFromAnybody, type LoginLinkRow, loginLinkLifetimeMinutes } from '../credentials/login-link.ts';
import {
  answerAsk,
  claimAsk,
  insertLoginLink,
  lockOpenLinks,
  selectAsks,
} from '../credentials/login-link-store.ts';
import { generateToken, hashToken } from '../credentials/token.ts';
import { type BudgetedEmail, loginRequestBudgets } from '../email-budgets/email-budget.ts';
import { type EmailBudgets, lockEmailBudgets } from '../email-budgets/email-budgets.ts';
import { recordEvents } from '../events/events.ts';
import { queueMail } from '../mail/mails.ts';
import type { MemberRow } from '../members/member.ts';
import { lockMembersByEmail } from '../members/member-store.ts';
import { realmOf } from '../sites/realm.ts';
import { originOf } from '../sites/site.ts';
import { findSite, findSiteAt } from '../sites/sites.ts';
import type { Transaction } from '../storage/database.ts';
import { hashCode } from './code.ts';
import { loginMail } from './login-mail.ts';
import { makeRoomForLink } from './open-links.ts';
import { mayEnrol } from './sign-up.ts';

export interface Ask {
  /** An address in its one form. */
  readonly email: string;
  /** What the browser that asks will be known by. */
  readonly browserToken: string;
  /** The known browser of the address's member that requests it; null for any other browser. */
  readonly knownBrowserId: string | null;
  readonly code: string;
  /** A path of the site. */
  readonly next: string;
  readonly language: string;
  /** The address of the page on which somebody asks. */
  readonly origin: string;
}

/**
 * Records that somebody asks for a login link. It is the same one row for a member and a stranger, so that nobody
 * learns from the time it takes who is a member; `answerAsks` goes on from there.
 */
export async function askForLoginLink(
  tx: Transaction,
  siteId: string,
  { email, browserToken, knownBrowserId, code, next, language, origin }: Ask,
  at: Timestamp,
): Promise<void> {
  await insertLoginLink(tx, siteId, {
    id: newId(),
    email,
    member_id: null,
    token_hash: null,
    browser_hash: hashToken(browserToken),
    known_browser_id: knownBrowserId,
    code,
    code_hash: hashCode(code, browserToken),
    tries: 0,
    next_path: next,
    language,
    origin,
    state: 'asked',
    created_at: at,
    expires_at: linkEnd(at),
  });
}

/**
 * Answers a few asks: those who may come in get a mail unless there were too many, and the others' asks are closed without
 * one. Gives whether more may wait.
 */
export async function answerAsks(
  tx: Transaction,
  siteId: string,
  limit: number,
  emailLimits: EmailLimits,
  at: Timestamp,
): Promise<boolean> {
  const asks = await selectAsks(tx, siteId, limit);
  if (asks.length === 0) return false;
  const site = await findSite(tx, siteId);
  // The members, then the budgets, then the links: that is the order of locks everywhere.
  const emails = asks.map(({ email }) => email);
  const members = await lockMembersByEmail(tx, siteId, emails);
  const emailFor = (ask: LoginLinkRow) => loginEmail(site, ask, members.get(ask.email), emailLimits, at);
  const budgets = await lockEmailBudgets(
    tx,
    siteId,
    asks.flatMap((ask) => emailFor(ask) ?? []),
  );
  await lockOpenLinks(tx, siteId, emails);
  let answered = 0;
  for (const { id } of asks) {
    const ask = await claimAsk(tx, siteId, id);
    if (!ask) continue;
    await answer(tx, site, ask, emailFor(ask), budgets, at);
    answered += 1;
  }
  await recordEvents(tx, siteId, systemCause(at), await budgets.save());
  // Where another process has claimed all of them, it goes on.
  return asks.length === limit && answered > 0;
}

/** The email that answers an ask. Undefined for somebody who may not come in, or whose time is over. */
function loginEmail(
  site: Site,
  ask: LoginLinkRow,
  member: MemberRow | undefined,
  limits: EmailLimits,
  at: Timestamp,
): BudgetedEmail | undefined {
  const { email, known_browser_id: knownBrowserId, created_at } = ask;
  const mayComeIn = member ? member.status === 'active' : mayEnrol(site, email);
  if (!mayComeIn || originOfAsk(site, ask) === null || ask.expires_at <= at) return undefined;
  const memberId = member?.id ?? null;
  const budgets = loginRequestBudgets({ email, memberId, knownBrowserId }, limits);
  return { at: created_at, budgets, memberId };
}

/** Where the link of an ask leads. */
function originOfAsk(site: Site, ask: LoginLinkRow): string | null {
  return ask.origin ?? originOf(site);
}

export function linkEnd(at: Timestamp): Timestamp {
  return timestampBefore(at, -loginLinkLifetimeMinutes * 60_000);
}

async function answer(
  tx: Transaction,
  site: Site,
  ask: LoginLinkRow,
  email: BudgetedEmail | undefined,
  budgets: EmailBudgets,
  at: Timestamp,
): Promise<void> {
  const usedUp = email && budgets.findUsedUp(email);
  if (usedUp) budgets.withhold(email, usedUp);
  if (!email || usedUp || !(await makeRoomForLink(tx, site.id, ask.email, isFromAnybody(ask), at))) {
    await answerAsk(tx, site.id, ask.id, null, null);
    return;
  }
  budgets.charge(email);
  const token = generateToken();
  await answerAsk(tx, site.id, ask.id, email.memberId, hashToken(token));
  const siteThere = await findSiteAt(tx, site.id, originOfAsk(site, ask)!);
  await queueLoginMail(tx, siteThere, ask, email.memberId, token, at);
}

/** Queues the mail of a link that goes to its address. */
export async function queueLoginMail(
  tx: Transaction,
  site: Site,
  link: Pick<LoginLinkRow, 'id' | 'email' | 'code' | 'language'>,
  memberId: string | null,
  token: string,
  at: Timestamp,
): Promise<void> {
  const origin = originOf(site)!;
  const { subjectWithoutCode, ...mail } = loginMail(
    { site, language: link.language },
    {
      url: linkUrl(site, token),
      code: link.code,
      minutes: loginLinkLifetimeMinutes,
      email: link.email,
      origin,
    },
  );
  await queueMail(
    tx,
    site.id,
    {
      kind: 'login_link',
      recipient: link.email,
      memberId,
      loginLinkId: link.id,
      subject: subjectWithoutCode,
      content: { fromName: site.title, ...mail },
    },
    at,
  );
}

/** The address of a login link, on a site that has a domain. */
export function linkUrl(site: Site, token: string): string {
  return `${originOf(site)}${realmOf(site).prefix}/link/${token}`;
}
