import {
  deleteAccessTokensOf,
  endAccessTokensOf,
  endEveryAccessToken,
} from '../access-tokens/access-tokens.ts';
import type { Change } from '../events/change.ts';
import { deleteAllKnownBrowsers, removeMembersFromBrowsers } from '../known-browsers/known-browsers.ts';
import { deleteLinksOf, revokeEveryLink, revokeLinksOf } from '../login-links/login-links.ts';
import type { SessionEnd } from '../sessions/session.ts';
import { deleteSessionsOf, endEverySession, endSessionsOf } from '../sessions/sessions.ts';

/** A member, with the properties that identify its credentials. */
export interface CredentialHolder {
  readonly id: string;
  readonly email: string;
}

/** The numbers of credentials that were revoked. */
export interface RevokedCredentials {
  readonly sessions: number;
  readonly links: number;
  readonly browsers: number;
}

/** Where a member requests a change: what this browser has stays. */
export interface OwnBrowser {
  readonly deviceCookie: string | null;
  /** The session that stays; null if it ends too. */
  readonly sessionId: string | null;
}

/**
 * Revokes everything that gives members access: sessions, access tokens, login links, the emails with links, and known
 * browsers except what the browser in which a member requests the change has. The members must be locked.
 */
export async function revokeCredentials(
  change: Change,
  members: readonly CredentialHolder[],
  reason: Exclude<SessionEnd, 'replaced'>,
  own: OwnBrowser | null = null,
): Promise<RevokedCredentials> {
  if (members.length === 0) return { sessions: 0, links: 0, browsers: 0 };
  const memberIds = members.map(({ id }) => id);
  const links = await revokeLinksOf(change, members);
  const browsers = await removeMembersFromBrowsers(change, memberIds, own?.deviceCookie ?? null);
  await endAccessTokensOf(change, memberIds, reason);
  const sessions = await endSessionsOf(change, memberIds, reason, own?.sessionId ?? null);
  return { sessions, links, browsers };
}

/**
 * Deletes the credentials of deleted members, without events, because the members no longer exist. Their passkeys are
 * deleted with their rows.
 */
export async function deleteCredentials(change: Change, members: readonly CredentialHolder[]): Promise<void> {
  const memberIds = members.map(({ id }) => id);
  await deleteLinksOf(change, members);
  await removeMembersFromBrowsers(change, memberIds, null);
  await deleteAccessTokensOf(change, memberIds);
  await deleteSessionsOf(change, memberIds);
}

/**
 * Revokes the credentials of all members. Returns the number of ended sessions, which the caller records in one event:
 * a site can have too many members for one event each.
 */
export async function revokeEveryCredential(change: Change): Promise<number> {
  const { sessions } = await endEveryLogin(change, () => endEveryAccessToken(change));
  return sessions;
}

/** Logs all members out and closes their links. Passkeys and access tokens stay. Returns the numbers, as above. */
export function logOutEveryone(change: Change): Promise<RevokedCredentials> {
  return endEveryLogin(change, async () => {});
}

/** @param endTokens is called in the order in which credentials end everywhere */
async function endEveryLogin(change: Change, endTokens: () => Promise<unknown>): Promise<RevokedCredentials> {
  const links = await revokeEveryLink(change);
  await endTokens();
  const sessions = await endEverySession(change);
  const browsers = await deleteAllKnownBrowsers(change);
  return { sessions, links, browsers };
}
