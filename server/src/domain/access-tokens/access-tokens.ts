import type { AccessToken, AccessTokenEnd, CreateAccessToken, CreatedAccessToken } from '@gatehouse/contract';
import { maxAccessTokens } from '@gatehouse/contract/limits';
import { ApiError, invalidRequest, requireTimestamp } from '../../base/api-error.ts';
import { newId } from '../../base/ids.ts';
import type { Page, PageQuery } from '../../base/page.ts';
import { checkName } from '../../base/text/text.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import { Credentials } from '../credentials/credentials.ts';
import { findNewestTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { hashToken } from '../sessions/token.ts';
import { accessTokensDeleted, checkPathPrefix, generateAccessToken } from './access-token.ts';
import { accessTokenTable, insertAccessToken, selectNewestAccessToken } from './access-token-store.ts';

export { deleteEveryAccessToken as endEveryAccessToken, markUsed } from './access-token-store.ts';

const accessTokens = new Credentials<AccessToken, AccessTokenEnd>(
  accessTokenTable,
  'access tokens',
  accessTokensDeleted,
);

/** Lists the valid access tokens of a member, newest first. @throws {ApiError} `invalid_cursor` */
export function listAccessTokens(
  view: SiteView,
  memberId: string,
  query: PageQuery,
): Promise<Page<AccessToken>> {
  return accessTokens.list(view, memberId, query);
}

/**
 * The ID of the access token that was created last for a member, also if it expired or was deleted within the last day;
 * null if there is none.
 */
export async function findNewestAccessToken(view: SiteView, memberId: string): Promise<string | null> {
  const existing = await selectNewestAccessToken(view, memberId);
  const deleted = await findNewestTombstone(view, accessTokens.listOf(memberId));
  return [existing ?? [], deleted ?? []].flat().sort().at(-1) ?? null;
}

/**
 * Creates an access token for a member whose row is locked, and deletes those of the member that have expired.
 * @throws {ApiError} `invalid_request`, `too_many_access_tokens`
 */
export async function createAccessToken(
  change: Change,
  memberId: string,
  input: CreateAccessToken,
): Promise<CreatedAccessToken> {
  const { now } = change;
  const { expiresAt: until } = input;
  const expiresAt = until ? requireTimestamp('/expiresAt', until) : null;
  if (expiresAt !== null && expiresAt <= now)
    throw invalidRequest('/expiresAt', 'expiresAt must be in the future.');
  const token: AccessToken = {
    id: newId(),
    memberId,
    name: checkName('name', input.name.trim().normalize('NFC')),
    pathPrefix: checkPathPrefix(input.pathPrefix ?? '/'),
    createdAt: now,
    expiresAt,
    lastUsedAt: null,
  };
  await accessTokens.leaveLists(change, await accessTokens.deleteExpiredOf(change, memberId));
  const known = await accessTokens.selectOf(change, memberId, undefined, maxAccessTokens);
  if (known.length >= maxAccessTokens) {
    throw new ApiError(
      'too_many_access_tokens',
      `This member has ${maxAccessTokens} access tokens, which is the maximum. Delete one that is no longer used.`,
    );
  }
  const secret = generateAccessToken();
  await insertAccessToken(change, token, hashToken(secret));
  const { id, name, pathPrefix } = token;
  change.record({
    type: 'access-token.created',
    memberId,
    data: { memberId, token: { id, name, pathPrefix, expiresAt } },
  });
  return { ...token, secret };
}

/** Deletes one access token of a member. @throws {ApiError} `access_token_not_found` */
export async function deleteAccessToken(change: Change, memberId: string, tokenId: string): Promise<void> {
  if (await accessTokens.end(change, { id: tokenId, memberId }, 'deleted')) return;
  throw new ApiError(
    'access_token_not_found',
    'This member has no access token with this ID, or it has been deleted or has expired. List the access tokens to ' +
      'see the current ones.',
  );
}

/** Deletes every access token of some members. */
export async function endAccessTokensOf(
  change: Change,
  memberIds: readonly string[],
  reason: Exclude<AccessTokenEnd, 'deleted'>,
): Promise<void> {
  await accessTokens.endOf(change, memberIds, reason);
}

/** Deletes every access token of deleted members, without events. */
export async function deleteAccessTokensOf(
  view: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  await accessTokens.deleteOf(view, memberIds);
}

/** Which of some hashes are those of valid access tokens of the site. */
export function findValidAccessTokens(view: SiteView, hashes: readonly string[]): Promise<string[]> {
  return accessTokens.selectValid(view, hashes);
}

export const findExpiredAccessTokens = accessTokens.findExpired;

/** Deletes expired access tokens. */
export function purgeAccessTokens(change: Change, rows: readonly ExpiredRow[]): Promise<void> {
  return accessTokens.purge(change, rows);
}
