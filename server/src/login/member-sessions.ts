import type { Session } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import type { Timestamp } from '../base/clock.ts';
import { withdrawCredentials } from '../credentials/credentials.ts';
import type { SessionEnd } from '../credentials/session.ts';
import { endSession, listSessions, type SessionQuery } from '../credentials/sessions.ts';
import { recordEvents } from '../events/events.ts';
import { memberNotFound } from '../members/member.ts';
import { lockMemberRow, selectMember } from '../members/member-store.ts';
import type { Page } from '../routing/page.ts';
import type { Queries, Transaction } from '../storage/database.ts';

/** @throws Refusal `member_not_found`, `invalid_cursor` */
export async function listMemberSessions(
  db: Queries,
  siteId: string,
  memberId: string,
  query: SessionQuery,
  now: Timestamp,
): Promise<Page<Session>> {
  if (!(await selectMember(db, siteId, memberId))) throw memberNotFound();
  return listSessions(db, siteId, memberId, query, now);
}

/** Logs a member out in one browser. @throws Refusal `member_not_found`, `session_not_found` */
export async function revokeMemberSession(
  tx: Transaction,
  siteId: string,
  memberId: string,
  sessionId: string,
  reason: SessionEnd,
  cause: Cause,
): Promise<void> {
  if (!(await lockMemberRow(tx, siteId, memberId))) throw memberNotFound();
  const events = await endSession(tx, siteId, memberId, sessionId, reason, cause.at);
  await recordEvents(tx, siteId, cause, events);
}

/**
 * Logs a member out everywhere, links on their way included. No browser is known of the member any more, but the one in
 * which the member does it. @throws Refusal `member_not_found`
 */
export async function revokeMemberSessions(
  tx: Transaction,
  siteId: string,
  memberId: string,
  reason: SessionEnd,
  cause: Cause,
  ownBrowserCookie: string | null = null,
): Promise<void> {
  const member = await lockMemberRow(tx, siteId, memberId);
  if (!member) throw memberNotFound();
  const events = await withdrawCredentials(tx, siteId, member, reason, cause.at, ownBrowserCookie);
  await recordEvents(tx, siteId, cause, events);
}
