import type { Session } from '@gatehouse/contract';
import type { Change } from '../events/change.ts';
import { lookUpMember } from '../members/member-lookup.ts';
import { loggedOut } from '../sessions/session.ts';
import { findSession } from '../sessions/sessions.ts';

/**
 * Makes a change as the member of a session.
 * @param furtherHost see `findSession`
 * @throws {ApiError} `logged_out`
 */
export async function asMember<Result>(
  change: Change,
  sessionToken: string,
  act: (session: Session, own: Change) => Promise<Result>,
  furtherHost: string | null = null,
): Promise<Result> {
  const session = await findSession(change, sessionToken, furtherHost);
  const member = session && (await lookUpMember(change, session.memberId));
  if (!session || member?.status !== 'active') throw loggedOut();
  return act(session, change.as({ type: 'member', id: member.id, name: member.displayName }));
}
