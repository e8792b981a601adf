import type { Session } from '@gatehouse/contract';
import type { Page, PageQuery } from '../../base/page.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { type SessionEnd, sessionsRevoked } from '../sessions/session.ts';
import { endSession, listSessions } from '../sessions/sessions.ts';
import { revokeCredentials } from './credentials.ts';
import { memberNotFound } from './member.ts';
import { lockMemberRow, selectMember } from './member-store.ts';

/** @throws {ApiError} `member_not_found`, `invalid_cursor` */
export async function listMemberSessions(
  view: SiteView,
  memberId: string,
  query: PageQuery,
): Promise<Page<Session>> {
  if (!(await selectMember(view, memberId))) throw memberNotFound();
  return listSessions(view, memberId, query);
}

/** Logs a member out in one browser. @throws {ApiError} `member_not_found`, `session_not_found` */
export async function revokeMemberSession(
  change: Change,
  memberId: string,
  sessionId: string,
  reason: SessionEnd,
): Promise<void> {
  if (!(await lockMemberRow(change, memberId))) throw memberNotFound();
  await endSession(change, memberId, sessionId, reason);
}

/**
 * Logs a member out everywhere, deletes the member's access tokens and closes the open login links. Removes all known browsers of the member,
 * except the one in which the member does it. Records an event even if only links and browsers were left. @throws {ApiError} `member_not_found`
 */
export async function revokeMemberSessions(
  change: Change,
  memberId: string,
  reason: Exclude<SessionEnd, 'replaced'>,
  ownBrowserCookie: string | null = null,
): Promise<void> {
  const member = await lockMemberRow(change, memberId);
  if (!member) throw memberNotFound();
  const { sessions, links, browsers } = await revokeCredentials(change, [member], reason, {
    deviceCookie: ownBrowserCookie,
    sessionId: null,
  });
  if (sessions === 0 && links + browsers > 0) change.record(sessionsRevoked(memberId, [], reason));
}
