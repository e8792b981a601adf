import type { Session } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, millisecondsBetween, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { NewEvent } from '../events/event.ts';

/** How long the sessions of members or of operators last. */
export interface SessionLifetime {
  /** A session that is not used for this long expires. */
  readonly idleSeconds: number;
  /** The maximum lifetime of a session, no matter how much it is used. */
  readonly maxSeconds: number;
  /** Use is recorded at most this often, because otherwise every request would be a write. */
  readonly seenEverySeconds: number;
}

const secondsPerHour = 60 * 60;
const secondsPerDay = 24 * secondsPerHour;

export const memberSessions: SessionLifetime = {
  idleSeconds: 30 * secondsPerDay,
  maxSeconds: 180 * secondsPerDay,
  seenEverySeconds: secondsPerHour,
};

/** Operators are few, so that their use can be recorded every minute. */
export function operatorSessions(idleHours: number, maxDays: number): SessionLifetime {
  return {
    idleSeconds: idleHours * secondsPerHour,
    maxSeconds: maxDays * secondsPerDay,
    seenEverySeconds: 60,
  };
}

/** A session in use, with the fields needed to update `lastSeenAt`. */
export type SeenSession = Pick<Session, 'id' | 'createdAt' | 'lastSeenAt'>;

/** What a session says of the login with which it began. */
export type LoginOfSession = Pick<StoredSession, 'createdAt' | 'method' | 'endsAt'>;

/** The use of a session, which postpones its end. */
export interface SessionUse extends SeenSession {
  readonly lifetime: SessionLifetime;
}

/** How long after a login by email a member can change the ways to log in. */
export const recentLoginMinutes = 10;

/** The browser in which a session is opened. */
export interface Browser {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
}

/** When a session expires unless it is used again. */
export function sessionEnd(
  createdAt: Timestamp,
  seenAt: Timestamp,
  { idleSeconds, maxSeconds }: SessionLifetime,
): Timestamp {
  return earlier(timestampAfter(seenAt, idleSeconds * 1_000), timestampAfter(createdAt, maxSeconds * 1_000));
}

/** A session with what only its own end depends on. */
export interface StoredSession extends Session {
  /** When it ends however much it is used; null if only the general limits apply. */
  readonly endsAt: Timestamp | null;
}

/** How a member or an operator logged in. */
export type LoginMethod = NonNullable<Session['method']>;

/** Whether a session was opened with a login link or a code. Older ones were, unless it was with a passkey. */
export function isOpenedByEmail({ method }: Pick<Session, 'method'>): boolean {
  return method === null || method === 'link' || method === 'code';
}

/**
 * Whether a session proves that the member receives the email. Not one that ends with the API key that handed out its
 * link: nothing that the key gives may last longer than the key.
 */
export function provesMailbox(session: Pick<LoginOfSession, 'method' | 'endsAt'>): boolean {
  return isOpenedByEmail(session) && session.endsAt === null;
}

/** Whether a session was opened by email a short time ago, which a change of the ways to log in needs. */
export function isRecentLoginByEmail(session: LoginOfSession, now: Timestamp): boolean {
  return provesMailbox(session) && millisecondsBetween(session.createdAt, now) <= recentLoginMinutes * 60_000;
}

/** Whether `lastSeenAt` should be updated. */
export function isUnseen(
  { lastSeenAt }: Pick<SeenSession, 'lastSeenAt'>,
  now: Timestamp,
  { seenEverySeconds }: SessionLifetime = memberSessions,
): boolean {
  return millisecondsBetween(lastSeenAt, now) >= seenEverySeconds * 1_000;
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

/** The error for a request of a member or operator whose session is missing or has ended. */
export function loggedOut(): ApiError {
  return new ApiError('logged_out', 'Your session has ended. Log in again to continue.');
}
