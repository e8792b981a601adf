import type { Operator, OperatorRole } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsBetween, type Timestamp } from '../../base/clock.ts';
import type { LoginMethod } from '../sessions/session.ts';
import { hashToken, isToken } from '../sessions/token.ts';

/** How long the dashboard uses a token before it requests another. */
export const operatorTokenMinutes = 15;
/** How long after a login an operator can make other ways in: with more, an open dashboard is enough for that. */
const recentLoginMinutes = 15;
const prefix = 'gateop_';

/** An operator of a site: the role, and the person, who is a member of the operator tenant. */
export interface RoleOfPerson {
  /** The id of the role. Only this one is shown on the site: that of the person is the same on all sites. */
  readonly id: string;
  /** The id of the person. */
  readonly personId: string;
  readonly email: string;
  readonly displayName: string | null;
  /** The name as entered in the invitation. */
  readonly invitedName: string | null;
  /** The session with which the operator last used the site. */
  readonly sessionId: string | null;
  readonly lastLoginAt: Timestamp | null;
  readonly role: OperatorRole;
  readonly createdAt: Timestamp;
}

/** An operator in the list of a site. */
export interface StoredOperator extends RoleOfPerson {
  readonly passkeys: number;
}

/** An operator who uses the API for one site. */
export interface ActingOperator extends RoleOfPerson {
  readonly siteId: string;
  readonly loggedInAt: Timestamp;
  /** How the session was opened; null if an older version opened it by email. */
  readonly method: LoginMethod | null;
}

/** Until an operator has used a site, its other operators see only the data they entered themselves. */
export function toOperator(operator: StoredOperator): Operator {
  const { id, email, displayName, invitedName, role, lastLoginAt, passkeys, createdAt } = operator;
  const isInvited = lastLoginAt === null;
  return {
    id,
    email,
    displayName: isInvited ? invitedName : displayName,
    role,
    status: isInvited ? 'invited' : 'active',
    lastLoginAt,
    passkeys: isInvited ? 0 : passkeys,
    createdAt,
  };
}

/** Whether a login is recent. Each login opens a session, so that its age is that of the login. */
export function isRecentLogin(loggedInAt: Timestamp, now: Timestamp): boolean {
  return millisecondsBetween(loggedInAt, now) <= recentLoginMinutes * 60_000;
}

/** The error for a change that would let someone in after the session has ended. */
export function loginNotRecent(): ApiError {
  return new ApiError(
    'login_not_recent',
    `You logged in more than ${recentLoginMinutes} minutes ago. Log in again to confirm that it is you, then repeat this.`,
  );
}

/** The actor of an operator in the events of a site; `id` is that of the role there. */
export function operatorActor({
  id,
  email,
  displayName,
}: Pick<ActingOperator, 'id' | 'email' | 'displayName'>) {
  return { type: 'operator', id, name: displayName ?? email } as const;
}

export function toOperatorToken(token: string): string {
  return prefix + token;
}

/** The stored form of an operator's token; undefined for a text that cannot be one. */
export function hashOperatorToken(text: string): string | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const token = text.slice(prefix.length);
  return isToken(token) ? hashToken(token) : undefined;
}
