import type { Session } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, type Timestamp } from '../../base/clock.ts';
import { idsOf, newId } from '../../base/ids.ts';
import type { Page, PageQuery } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import { Credentials } from '../credentials/credentials.ts';
import type { Change } from '../events/change.ts';
import {
  type Browser,
  type LoginMethod,
  memberSessions,
  type SessionEnd,
  type SessionLifetime,
  type SessionUse,
  type StoredSession,
  sessionEnd,
  sessionsRevoked,
} from './session.ts';
import {
  deleteSurplusSessions,
  insertSession,
  markSeen,
  selectEverySession,
  selectSession,
  sessionTable,
  updateSessionEnd,
} from './session-store.ts';
import { generateToken, hashToken, isToken } from './token.ts';

export {
  deleteEverySession as endEverySession,
  lockSession as findAndLockSession,
  methodOfSession,
} from './session-store.ts';

const maxUserAgentLength = 300;

/** A session with its token, which only the browser stores. */
export interface OpenedSession {
  readonly session: Session;
  readonly token: string;
}

const sessions = new Credentials<Session, SessionEnd>(sessionTable, 'sessions', sessionsRevoked);

/**
 * Opens a session for a member whose row is locked. Call `evictSessions` as well.
 * @param endsAt when it ends at the latest; null if only the general limits apply
 */
export async function openSession(
  change: Change,
  memberId: string,
  browser: Browser,
  method: LoginMethod,
  endsAt: Timestamp | null = null,
  lifetime: SessionLifetime = memberSessions,
): Promise<OpenedSession> {
  const { now } = change;
  const token = generateToken();
  const session: StoredSession = {
    id: newId(),
    memberId,
    method,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: earlier(sessionEnd(now, now, lifetime), endsAt),
    endsAt,
    userAgent: browser.userAgent?.slice(0, maxUserAgentLength).toWellFormed() ?? null,
    ipAddress: browser.ipAddress,
  };
  await insertSession(change, session, hashToken(token));
  return { session, token };
}

/** Ends the oldest sessions of a member who has more than the maximum. Returns their number. */
export async function evictSessions(change: Change, memberId: string, maxSessions: number): Promise<number> {
  const ended = await deleteSurplusSessions(change, memberId, maxSessions);
  if (ended.length === 0) return 0;
  await sessions.leaveLists(change, ended);
  const data = { memberId, sessionIds: idsOf(ended), maxSessions };
  change.record({ type: 'session.evicted', memberId, data });
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
): Promise<StoredSession | undefined> {
  return isToken(token) ? selectSession(view, hashToken(token), furtherHost) : undefined;
}

/** Lists the valid sessions of a member, newest login first. @throws {ApiError} `invalid_cursor` */
export function listSessions(view: SiteView, memberId: string, query: PageQuery): Promise<Page<Session>> {
  return sessions.list(view, memberId, query);
}

/** Records that a session is in use, which postpones its expiry. */
export async function prolongSession(
  view: SiteView<Transaction>,
  { id, createdAt, lifetime }: SessionUse,
): Promise<void> {
  await markSeen(view, id, sessionEnd(createdAt, view.now, lifetime));
}

/** Shortens the sessions of a site that were opened with a longer lifetime. */
export async function shortenSessions(view: SiteData<Transaction>, lifetime: SessionLifetime): Promise<void> {
  for (const { id, createdAt, lastSeenAt, expiresAt } of await selectEverySession(view)) {
    const end = sessionEnd(createdAt, lastSeenAt, lifetime);
    if (end < expiresAt) await updateSessionEnd(view, id, end);
  }
}

/** Ends one session of a member. @throws {ApiError} `session_not_found` */
export async function endSession(
  change: Change,
  memberId: string,
  sessionId: string,
  reason: SessionEnd,
): Promise<void> {
  if (await sessions.end(change, { id: sessionId, memberId }, reason)) return;
  throw new ApiError(
    'session_not_found',
    'This member has no session with this ID, or it has ended. List the sessions to see the current ones.',
  );
}

/** Ends every session of some members, or all but one. Returns their number. */
export function endSessionsOf(
  change: Change,
  memberIds: readonly string[],
  reason: SessionEnd,
  exceptId: string | null = null,
): Promise<number> {
  return sessions.endOf(change, memberIds, reason, exceptId);
}

/** Deletes every session of deleted members, without events. */
export async function deleteSessionsOf(
  view: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  await sessions.deleteOf(view, memberIds);
}

/** Which of these hashes are those of the tokens of valid sessions at the primary host. */
export function findValidSessions(view: SiteView, hashes: readonly string[]): Promise<string[]> {
  return sessions.selectValid(view, hashes);
}

export const findExpiredSessions = sessions.findExpired;

/** Deletes expired sessions, unless they have been used since they were found. */
export function purgeSessions(change: Change, rows: readonly ExpiredRow[]): Promise<void> {
  return sessions.purge(change, rows);
}
