import type { Member, Session } from '@gatehouse/contract';
import type { Change } from '../events/change.ts';
import { lockMember, lookUpMember } from '../members/member-lookup.ts';
import { loggedOut, type StoredSession } from '../sessions/session.ts';
import { findAndLockSession, findSession } from '../sessions/sessions.ts';

/**
 * Makes a change as the member of a session.
 * @param furtherHost see `findSession`
 * @throws {ApiError} `logged_out`
 */
export async function asMember<Result>(
  change: Change,
  sessionToken: string,
  act: (session: StoredSession, own: Change) => Promise<Result>,
  furtherHost: string | null = null,
): Promise<Result> {
  const session = await findSession(change, sessionToken, furtherHost);
  const member = session && (await lookUpMember(change, session.memberId));
  if (!session || member?.status !== 'active') throw loggedOut();
  return act(session, change.as({ type: 'member', id: member.id, name: member.displayName }));
}

/**
 * Locks the member of a session, and the session, for a change that must not outlive them.
 * @throws {ApiError} `logged_out`
 */
export async function lockOwnMember(own: Change, { id, memberId }: Session): Promise<Member> {
  const member = await lockMember(own, memberId);
  // All sessions may have been ended meanwhile.
  const isValid = member?.status === 'active' && (await findAndLockSession(own, id)) !== undefined;
  if (!isValid) throw loggedOut();
  return member;
}
