import type { Session } from '@gatehouse/contract';
import {
  earlier,
  millisecondsBetween,
  millisecondsPerDay,
  type Timestamp,
  timestampAfter,
} from '../../base/clock.ts';
import type { NewEvent } from '../events/event.ts';

/** A session that is not used for this long expires. */
const sessionIdleDays = 30;
/** The maximum lifetime of a session, no matter how much it is used. */
export const maxSessionDays = 180;
/** Use is recorded at most this often, because otherwise every request would be a write. */
const seenEveryMilliseconds = 60 * 60 * 1_000;

export interface SessionRow {
  id: string;
  member_id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  /** When it ends however much it is used; null if only the general limits apply. */
  ends_at: string | null;
  user_agent: string | null;
  client_address: string | null;
}

/** A session in use, with the fields needed to update `lastSeenAt`. */
export type SeenSession = Pick<Session, 'id' | 'createdAt' | 'lastSeenAt'>;

/** The browser in which a session is opened. */
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

/** When a session expires unless it is used again. */
export function sessionEnd(createdAt: Timestamp, seenAt: Timestamp): Timestamp {
  const idle = timestampAfter(seenAt, sessionIdleDays * millisecondsPerDay);
  return earlier(idle, timestampAfter(createdAt, maxSessionDays * millisecondsPerDay));
}

/** A session that cannot end before the transaction does. */
export interface LockedSession extends Session {
  /** When it ends however much it is used; null if only the general limits apply. */
  readonly endsAt: Timestamp | null;
}

/** Whether `lastSeenAt` should be updated. */
export function isUnseen({ lastSeenAt }: Pick<SeenSession, 'lastSeenAt'>, now: Timestamp): boolean {
  return millisecondsBetween(lastSeenAt, now) >= seenEveryMilliseconds;
}

export type SessionEnd = Extract<NewEvent, { type: 'session.revoked' }>['data']['reason'];

/** The event for ended sessions of a member. */
export function sessionsRevoked(
  memberId: string,
  sessionIds: readonly string[],
  reason: SessionEnd,
): NewEvent {
  return { type: 'session.revoked', memberId, data: { memberId, sessionIds: [...sessionIds], reason } };
}
