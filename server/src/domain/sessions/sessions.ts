import type { Session } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, type Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import { addTombstones, findTombstone, type Tombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import {
  type Browser,
  type LockedSession,
  memberSessions,
  type SessionEnd,
  type SessionLifetime,
  type SessionUse,
  sessionEnd,
  sessionsRevoked,
  toSession,
} from './session.ts';
import {
  deleteEverySession,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  deleteSurplusSessions,
  hasSession,
  insertSession,
  lockSession,
  markSeen,
  type SessionKey,
  selectEverySession,
  selectSession,
  selectSessions,
  updateSessionEnd,
} from './session-store.ts';
import { generateToken, hashToken, isToken } from './token.ts';

export {
  markOpenedByPasskey,
  selectHashesOfSessions as findValidSessions,
  wasOpenedByPasskey,
} from './session-store.ts';

const maxUserAgentLength = 300;

/** A session with its token, which only the browser stores. */
export interface OpenedSession {
  readonly session: Session;
  readonly token: string;
}

/**
 * Opens a session for a member whose row is locked. Call `evictSessions` as well.
 * @param endsAt when it ends at the latest; null if only the general limits apply
 */
export async function openSession(
  { tx, siteId, at }: Change,
  memberId: string,
  browser: Browser,
  endsAt: Timestamp | null = null,
  lifetime: SessionLifetime = memberSessions,
): Promise<OpenedSession> {
  const token = generateToken();
  const row = {
    id: newId(),
    member_id: memberId,
    created_at: at,
    last_seen_at: at,
    expires_at: earlier(sessionEnd(at, at, lifetime), endsAt),
    ends_at: endsAt,
    user_agent: browser.userAgent?.slice(0, maxUserAgentLength).toWellFormed() ?? null,
    ip_address: browser.ipAddress,
  };
  await insertSession(tx, siteId, row, hashToken(token));
  return { session: toSession(row), token };
}

/** Ends the oldest sessions of a member who has more than the maximum. Returns their number. */
export async function evictSessions(change: Change, memberId: string, maxSessions: number): Promise<number> {
  const { tx, siteId } = change;
  const ended = await deleteSurplusSessions(tx, siteId, memberId, maxSessions);
  if (ended.length === 0) return 0;
  await addTombstones(change, ended.map(toTombstone));
  const sessionIds = ended.map(({ id }) => id);
  change.record({ type: 'session.evicted', memberId, data: { memberId, sessionIds, maxSessions } });
  return ended.length;
}

/**
 * Finds the valid session with a token. The member may be blocked; the caller must check it.
 * @param furtherHost the domain of the host of the cookie; null for the primary host
 */
export async function findSession(
  db: Queries,
  siteId: string,
  token: string | null | undefined,
  now: Timestamp,
  furtherHost: string | null = null,
): Promise<Session | undefined> {
  if (!isToken(token)) return undefined;
  const row = await selectSession(db, siteId, hashToken(token), furtherHost, now);
  return row && toSession(row);
}

/** Finds a valid session, which then cannot end before the transaction does. The member may be blocked. */
export async function findAndLockSession(
  { tx, siteId, at }: Change,
  sessionId: string,
): Promise<LockedSession | undefined> {
  const row = await lockSession(tx, siteId, sessionId, at);
  return row && { ...toSession(row), endsAt: row.ends_at };
}

export interface SessionQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the valid sessions of a member, newest login first. @throws {ApiError} `invalid_cursor` */
export async function listSessions(
  db: Queries,
  siteId: string,
  memberId: string,
  { after, limit }: SessionQuery,
  now: Timestamp,
): Promise<Page<Session>> {
  if (after !== undefined && !(await hasSession(db, siteId, memberId, after))) {
    await findTombstone(db, siteId, listOf(memberId), after, now);
  }
  const rows = await selectSessions(db, siteId, memberId, after, now, limit + 1);
  return toPage(rows, limit, toSession);
}

/** Records that a session is in use, which postpones its expiry. */
export async function prolongSession(
  tx: Transaction,
  siteId: string,
  { id, createdAt, lifetime }: SessionUse,
  at: Timestamp,
): Promise<void> {
  await markSeen(tx, siteId, id, at, sessionEnd(createdAt, at, lifetime));
}

/** Shortens the sessions of a site that were opened with a longer lifetime. */
export async function shortenSessions(
  tx: Transaction,
  siteId: string,
  lifetime: SessionLifetime,
): Promise<void> {
  for (const { id, created_at, last_seen_at, expires_at } of await selectEverySession(tx, siteId)) {
    const end = sessionEnd(created_at, last_seen_at, lifetime);
    if (end < expires_at) await updateSessionEnd(tx, siteId, id, end);
  }
}

/** Ends one session of a member. @throws {ApiError} `session_not_found` */
export async function endSession(
  change: Change,
  memberId: string,
  sessionId: string,
  reason: SessionEnd,
): Promise<void> {
  const { tx, siteId, at } = change;
  if (!(await deleteSession(tx, siteId, memberId, sessionId, at))) {
    throw new ApiError(
      'session_not_found',
      'This member has no session with this ID, or it has ended. List the sessions to see the current ones.',
    );
  }
  await recordEnds(change, [{ id: sessionId, member_id: memberId }], reason);
}

/** Ends every session of some members. Returns their number. */
export async function endSessionsOf(
  change: Change,
  memberIds: readonly string[],
  reason: SessionEnd,
): Promise<number> {
  const ended = await deleteSessionsOf(change.tx, change.siteId, memberIds);
  await recordEnds(change, ended, reason);
  return ended.length;
}

export { deleteSessionsOf, selectExpiredSessions as findExpiredSessions } from './session-store.ts';

/** Ends every session of the site. Returns their number, which the caller records. */
export function endEverySession({ tx, siteId, at }: Change): Promise<number> {
  return deleteEverySession(tx, siteId, at);
}

/** Deletes expired sessions, unless they have been used since they were found. */
export async function purgeSessions(change: Change, rows: readonly { readonly id: string }[]): Promise<void> {
  const { tx, siteId, at } = change;
  const ids = rows.map(({ id }) => id);
  const deleted = await deleteExpiredSessions(tx, siteId, ids, at);
  await addTombstones(change, deleted.map(toTombstone));
}

async function recordEnds(
  change: Change,
  sessions: readonly SessionKey[],
  reason: SessionEnd,
): Promise<void> {
  await addTombstones(change, sessions.map(toTombstone));
  const byMember = Map.groupBy(sessions, ({ member_id }) => member_id);
  for (const [memberId, ended] of byMember) {
    const ids = ended.map(({ id }) => id);
    change.record(sessionsRevoked(memberId, ids, reason));
  }
}

/** Keeps the session's position in the list of its member, so that cursors on it stay valid. */
function toTombstone({ id, member_id }: SessionKey): Tombstone {
  return { list: listOf(member_id), id };
}

function listOf(memberId: string): string {
  return `sessions of ${memberId}`;
}
