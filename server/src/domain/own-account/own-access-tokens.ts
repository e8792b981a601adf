import type { Session } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { earlier, millisecondsPerDay, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { findNewestAccessToken } from '../access-tokens/access-tokens.ts';
import type { Change } from '../events/change.ts';
import { createMemberAccessToken } from '../members/member-access-tokens.ts';
import { lockMember } from '../members/member-lookup.ts';
import { loggedOut } from '../sessions/session.ts';
import { findAndLockSession } from '../sessions/sessions.ts';
import { findSite } from '../sites/sites.ts';

export interface OwnAccessTokenInput {
  readonly name: string;
  readonly pathPrefix: string;
  /** Null for the lifetime of the session. */
  readonly days: number | null;
  readonly form: TokenForm;
}

/** What the form for an access token knows of the time when it was shown. */
export interface TokenForm {
  readonly shownAt: string;
  /** The newest token of the member at that time. */
  readonly newestId: string | null;
}

/** Shorter than the time for which deleted tokens are known. */
const formLifetimeMilliseconds = millisecondsPerDay / 2;

/**
 * Creates an access token for the member of a session, which ends with the session at the latest. Returns its secret, or
 * null for a form that is old or was sent before: browsers send it again when its response is loaded again.
 * @throws {ApiError} `permission_denied`, `logged_out`, and those of `createMemberAccessToken`
 */
export async function createOwnAccessToken(
  own: Change,
  { id, memberId }: Session,
  { name, pathPrefix, days, form }: OwnAccessTokenInput,
): Promise<string | null> {
  const { membersCreateTokens } = await findSite(own);
  if (!membersCreateTokens) {
    throw new ApiError('permission_denied', 'Members of this site cannot create access tokens.');
  }
  await lockMember(own, memberId);
  // All sessions may have been ended meanwhile, with the tokens.
  const session = await findAndLockSession(own, id);
  if (!session) throw loggedOut();
  const newestId = await findNewestAccessToken(own, memberId);
  if (!isCurrent(form, newestId, own.now)) return null;
  const wanted = days === null ? session.endsAt : timestampAfter(own.now, days * millisecondsPerDay);
  const expiresAt = wanted && earlier(wanted, session.endsAt);
  const { secret } = await createMemberAccessToken(own, memberId, { name, pathPrefix, expiresAt });
  return secret;
}

/** Whether a form can create a token: it is not old, and no token was created since it was shown. */
function isCurrent(form: TokenForm, newestId: string | null, now: Timestamp): boolean {
  const isRecent = Date.parse(now) - Date.parse(form.shownAt) <= formLifetimeMilliseconds;
  return isRecent && (newestId ?? '') <= (form.newestId ?? '');
}
