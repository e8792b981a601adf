import type { Session } from '@gatehouse/contract';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import type { NewEvent } from '../events/event.ts';

/** A session that is not used for so long ends by itself. */
export const sessionIdleDays = 30;
/** However much it is used, nobody stays logged in longer. */
export const sessionLongestDays = 180;
/** Use is written down only so often: a visit is otherwise no write. */
const seenEveryMilliseconds = 60 * 60 * 1_000;
/** A member who logs in once more loses the oldest session. */
export const mostSessions = 50;

export interface SessionRow {
  id: string;
  member_id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  user_agent: string | null;
  client_address: string | null;
}

/** The browser that a session is opened in. */
export interface Browser {
  readonly userAgent: string | null;
  readonly clientAddress: string | null;
}

export function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    memberId: row.member_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent,
    clientAddress: row.client_address,
  };
}

/** When a session ends unless it is used again. */
export function sessionEnd(createdAt: Timestamp, seenAt: Timestamp): Timestamp {
  const idle = timestampBefore(seenAt, -sessionIdleDays * millisecondsPerDay);
  const longest = timestampBefore(createdAt, -sessionLongestDays * millisecondsPerDay);
  return idle < longest ? idle : longest;
}

/** Whether it is time to write down that a session is in use. */
export function isUnseen({ lastSeenAt }: Pick<Session, 'lastSeenAt'>, now: Timestamp): boolean {
  return lastSeenAt <= timestampBefore(now, seenEveryMilliseconds);
}

export type SessionEnd = Extract<NewEvent, { type: 'session.revoked' }>['data']['reason'];

/** What the feed says of sessions that have ended; nothing where there were none. */
export function sessionsRevoked(
  memberId: string,
  sessionIds: readonly string[],
  reason: SessionEnd,
): NewEvent[] {
  if (sessionIds.length === 0) return [];
  return [{ type: 'session.revoked', memberId, data: { memberId, sessionIds: [...sessionIds], reason } }];
}
