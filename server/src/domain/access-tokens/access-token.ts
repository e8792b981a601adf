import type { AccessToken, AccessTokenEnd } from '@gatehouse/contract';
import { isWildcard, rulePathFault, segmentsOf, tidyRulePath } from '@gatehouse/contract/rule-paths';
import { invalidRequest } from '../../base/api-error.ts';
import { millisecondsBetween, type Timestamp } from '../../base/clock.ts';
import type { NewEvent } from '../events/event.ts';
import { generateToken, isToken } from '../sessions/token.ts';

/** Distinguishes access tokens from the credentials of the programs behind the gate. */
const secretPrefix = 'gmt_';
/** Use is recorded at most this often, because otherwise every request would be a write. */
const usedEveryMilliseconds = 60 * 60 * 1_000;

/** A token in use, with the fields needed to update `lastUsedAt`. */
export type UsedAccessToken = Pick<AccessToken, 'id' | 'lastUsedAt'>;

/** Generates a token: `gmt_` and 256 random bits in base64url, so that it needs no encoding in a URL. */
export function generateAccessToken(): string {
  return secretPrefix + generateToken();
}

/** Whether a credential is meant for Gatehouse and not for the program behind it. It may still be malformed. */
export function isForGatehouse(credential: string): boolean {
  return credential.startsWith(secretPrefix);
}

/** Whether a text has the form of an access token. */
export function isAccessToken(text: string): boolean {
  return isForGatehouse(text) && isToken(text.slice(secretPrefix.length));
}

/** Whether `lastUsedAt` should be updated. */
export function isUnrecorded({ lastUsedAt }: Pick<UsedAccessToken, 'lastUsedAt'>, now: Timestamp): boolean {
  return lastUsedAt === null || millisecondsBetween(lastUsedAt, now) >= usedEveryMilliseconds;
}

/** The stored form of a path prefix. @throws {ApiError} `invalid_request` */
export function checkPathPrefix(submitted: string): string {
  if (rulePathFault(submitted) === undefined && !isWildcard(submitted)) return tidyRulePath(submitted);
  throw invalidRequest(
    '/pathPrefix',
    'pathPrefix must be a path without query and percent-encoding, such as /podcast, and cannot contain *.',
  );
}

/**
 * Whether a path is the prefix or below it. Whole names are compared, in their exact spelling: another spelling that
 * some servers treat as the same is outside.
 * @param path the names of the path; undefined for an ambiguous path, which has no place
 */
export function isBelow(path: readonly string[] | undefined, prefix: string): boolean {
  return path !== undefined && segmentsOf(prefix).every((name, index) => path[index] === name);
}

/** The event for deleted access tokens of a member. */
export function accessTokensDeleted(
  memberId: string,
  tokenIds: readonly string[],
  reason: AccessTokenEnd,
): NewEvent {
  return { type: 'access-token.deleted', memberId, data: { memberId, tokenIds: [...tokenIds], reason } };
}
