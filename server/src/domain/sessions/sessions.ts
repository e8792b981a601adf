import type { Session } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, type Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
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
  change: Change,
  memberId: string,
  browser: Browser,
  endsAt: Timestamp | null = null,
  lifetime: SessionLifetime = memberSessions,
): Promise<OpenedSession> {
  const { now } = change;
  const token = generateToken();
  const row = {
    id: newId(),
    member_id: memberId,
    created_at: now,
    last_seen_at: now,
    expires_at: earlier(sessionEnd(now, now, lifetime), endsAt),
    ends_at: endsAt,
    user_agent: browser.userAgent?.slice(0, maxUserAgentLength).toWellFormed() ?? null,
    ip_address: browser.ipAddress,
  };
  await insertSession(change, row, hashToken(token));
  return { session: toSession(row), token };
}

/** Ends the oldest sessions of a member who has more than the maximum. Returns their number. */
export async function evictSessions(change: Change, memberId: string, maxSessions: number): Promise<number> {
  const ended = await deleteSurplusSessions(change, memberId, maxSessions);
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
  view: SiteView,
  token: string | null | undefined,
  furtherHost: string | null = null,
): Promise<Session | undefined> {
  if (!isToken(token)) return undefined;
  const row = await selectSession(view, hashToken(token), furtherHost);
  return row && toSession(row);
}

/** Finds a valid session, which then cannot end before the transaction does. The member may be blocked. */
export async function findAndLockSession(
  change: Change,
  sessionId: string,
): Promise<LockedSession | undefined> {
  const row = await lockSession(change, sessionId);
  return row && { ...toSession(row), endsAt: row.ends_at };
}

export interface SessionQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the valid sessions of a member, newest login first. @throws {ApiError} `invalid_cursor` */
export async function listSessions(
  view: SiteView,
  memberId: string,
  { after, limit }: SessionQuery,
): Promise<Page<Session>> {
  if (after !== undefined && !(await hasSession(view, memberId, after))) {
    await findTombstone(view, listOf(memberId), after);
  }
  const rows = await selectSessions(view, memberId, after, limit + 1);
  return toPage(rows, limit, toSession);
}

/** Records that a session is in use, which postpones its expiry. */
export async function prolongSession(
  view: SiteView<Transaction>,
  { id, createdAt, lifetime }: SessionUse,
): Promise<void> {
  await markSeen(view, id, view.now, sessionEnd(createdAt, view.now, lifetime));
}

/** Shortens the sessions of a site that were opened with a longer lifetime. */
export async function shortenSessions(view: SiteData<Transaction>, lifetime: SessionLifetime): Promise<void> {
  for (const { id, created_at, last_seen_at, expires_at } of await selectEverySession(view)) {
    const end = sessionEnd(created_at, last_seen_at, lifetime);
    if (end < expires_at) await updateSessionEnd(view, id, end);
  }
}

/** Ends one session of a member. @throws {ApiError} `session_not_found` */
export async function endSession(
  change: Change,
  memberId: string,
  sessionId: string,
  reason: SessionEnd,
): Promise<void> {
  if (!(await deleteSession(change, memberId, sessionId))) {
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
  const ended = await deleteSessionsOf(change, memberIds);
  await recordEnds(change, ended, reason);
  return ended.length;
}

export { deleteSessionsOf, selectExpiredSessions as findExpiredSessions } from './session-store.ts';

/** Ends every session of the site. Returns their number, which the caller records. */
export function endEverySession(change: Change): Promise<number> {
  return deleteEverySession(change);
}

/** Deletes expired sessions, unless they have been used since they were found. */
export async function purgeSessions(change: Change, rows: readonly { readonly id: string }[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const deleted = await deleteExpiredSessions(change, ids);
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
