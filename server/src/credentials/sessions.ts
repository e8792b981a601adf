import type { Session } from '@gatehouse/contract';
import type { Timestamp } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import type { NewEvent } from '../events/event.ts';
import { findDeparted, rememberDeparted } from '../routing/departed-items.ts';
import { type Page, toPage } from '../routing/page.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import {
  type Browser,
  mostSessions,
  type SessionEnd,
  sessionEnd,
  sessionsRevoked,
  toSession,
} from './session.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessions,
  hasSession,
  insertSession,
  markSeen,
  selectSession,
  selectSessions,
} from './session-store.ts';
import { generateToken, hashToken, isToken } from './token.ts';

const longestUserAgent = 300;

/** A session together with its token, which only the browser keeps. */
export interface OpenedSession {
  readonly session: Session;
  readonly token: string;
  readonly events: readonly NewEvent[];
}

/** Opens a session of a member whose row is locked. Gives the events to record. */
export async function openSession(
  tx: Transaction,
  siteId: string,
  memberId: string,
  browser: Browser,
  at: Timestamp,
): Promise<OpenedSession> {
  const token = generateToken();
  const row = {
    id: newId(),
    member_id: memberId,
    created_at: at,
    last_seen_at: at,
    expires_at: sessionEnd(at, at),
    user_agent: browser.userAgent?.slice(0, longestUserAgent).toWellFormed() ?? null,
    client_address: browser.clientAddress,
  };
  await insertSession(tx, siteId, row, hashToken(token));
  const ended = await deleteSessions(tx, siteId, memberId, mostSessions);
  await remember(tx, siteId, memberId, ended, at);
  return { session: toSession(row), token, events: sessionsRevoked(memberId, ended, 'replaced') };
}

/** Finds the session in force that a token opens. The member may be blocked: ask the member. */
export async function findSession(
  db: Queries,
  siteId: string,
  token: string | null | undefined,
  now: Timestamp,
): Promise<Session | undefined> {
  if (!isToken(token)) return undefined;
  const row = await selectSession(db, siteId, hashToken(token), now);
  return row && toSession(row);
}

export interface SessionQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the sessions of a member in force, newest login first. @throws Refusal `invalid_cursor` */
export async function listSessions(
  db: Queries,
  siteId: string,
  memberId: string,
  { after, limit }: SessionQuery,
  now: Timestamp,
): Promise<Page<Session>> {
  if (after !== undefined && !(await hasSession(db, siteId, memberId, after))) {
    await findDeparted(db, siteId, listOf(memberId), after, now);
  }
  const rows = await selectSessions(db, siteId, memberId, after, now, limit + 1);
  return toPage(rows, limit, toSession);
}

/** Keeps a session alive that is in use. */
export async function prolongSession(
  tx: Transaction,
  siteId: string,
  { id, createdAt }: Pick<Session, 'id' | 'createdAt'>,
  at: Timestamp,
): Promise<void> {
  await markSeen(tx, siteId, id, at, sessionEnd(createdAt, at));
}

/**
 * Ends one session of a member. Gives the events to record.
 * @throws Refusal `session_not_found`
 */
export async function endSession(
  tx: Transaction,
  siteId: string,
  memberId: string,
  sessionId: string,
  reason: SessionEnd,
  at: Timestamp,
): Promise<NewEvent[]> {
  if (!(await deleteSession(tx, siteId, memberId, sessionId, at))) {
    throw new Refusal(
      'session_not_found',
      'This member has no session with this id, or it has ended. List the sessions to see those that there are.',
    );
  }
  await remember(tx, siteId, memberId, [sessionId], at);
  return sessionsRevoked(memberId, [sessionId], reason);
}

/** Ends every session of a member. Gives the events to record. */
export async function endAllSessions(
  tx: Transaction,
  siteId: string,
  memberId: string,
  reason: SessionEnd,
  at: Timestamp,
): Promise<NewEvent[]> {
  const ended = await deleteSessions(tx, siteId, memberId);
  await remember(tx, siteId, memberId, ended, at);
  return sessionsRevoked(memberId, ended, reason);
}

/** Removes a few sessions past their time. Gives how many. */
export async function forgetSessions(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const rows = await deleteExpiredSessions(tx, siteId, now, limit);
  for (const { id, member_id } of rows) await remember(tx, siteId, member_id, [id], now);
  return rows.length;
}

/** Sessions leave the list of their member; a reader who stands on one can go on. */
async function remember(
  tx: Transaction,
  siteId: string,
  memberId: string,
  sessionIds: readonly string[],
  at: Timestamp,
): Promise<void> {
  const items = sessionIds.map((id) => ({ id }));
  await rememberDeparted(tx, siteId, listOf(memberId), items, at);
}

function listOf(memberId: string): string {
  return `sessions of ${memberId}`;
}
