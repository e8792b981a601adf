import type { AccessToken, AccessTokenEnd, CreateAccessToken, CreatedAccessToken } from '@gatehouse/contract';
import { maxAccessTokens } from '@gatehouse/contract/limits';
import { ApiError, invalidRequest, requireTimestamp } from '../../base/api-error.ts';
import { newId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import { checkName } from '../../base/text/text.ts';
import type { SiteView } from '../../storage/site-view.ts';
import {
  addTombstones,
  findNewestTombstone,
  findTombstone,
  type Tombstone,
} from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { hashToken } from '../sessions/token.ts';
import { accessTokensDeleted, checkPathPrefix, generateAccessToken, toAccessToken } from './access-token.ts';
import {
  type AccessTokenIds,
  deleteAccessTokenRow,
  deleteAccessTokensOf,
  deleteEveryAccessToken,
  deleteExpiredAccessTokens,
  hasAccessToken,
  insertAccessToken,
  purgeAccessTokenRows,
  selectAccessTokens,
  selectNewestAccessToken,
} from './access-token-store.ts';

export {
  deleteAccessTokensOf,
  markUsed,
  selectHashesOfAccessTokens as findValidAccessTokens,
} from './access-token-store.ts';

export interface AccessTokenQuery {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the valid access tokens of a member, newest first. @throws {ApiError} `invalid_cursor` */
export async function listAccessTokens(
  view: SiteView,
  memberId: string,
  { after, limit }: AccessTokenQuery,
): Promise<Page<AccessToken>> {
  if (after !== undefined && !(await hasAccessToken(view, memberId, after))) {
    await findTombstone(view, listOf(memberId), after);
  }
  const rows = await selectAccessTokens(view, memberId, after, limit + 1);
  return toPage(rows, limit, toAccessToken);
}

/**
 * The ID of the access token that was created last for a member, also if it expired or was deleted within the last day;
 * null if there is none.
 */
export async function findNewestAccessToken(view: SiteView, memberId: string): Promise<string | null> {
  const existing = await selectNewestAccessToken(view, memberId);
  const deleted = await findNewestTombstone(view, listOf(memberId));
  return (
    [existing, deleted]
      .filter((id) => id !== null)
      .sort()
      .at(-1) ?? null
  );
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
  const row = {
    id: newId(),
    member_id: memberId,
    name: checkName('name', input.name.trim().normalize('NFC')),
    path_prefix: checkPathPrefix(input.pathPrefix ?? '/'),
    created_at: now,
    expires_at: expiresAt,
    last_used_at: null,
  };
  await addTombstones(change, (await deleteExpiredAccessTokens(change, memberId)).map(toTombstone));
  const known = await selectAccessTokens(change, memberId, undefined, maxAccessTokens);
  if (known.length >= maxAccessTokens) {
    throw new ApiError(
      'too_many_access_tokens',
      `This member has ${maxAccessTokens} access tokens, which is the maximum. Delete one that is no longer used.`,
    );
  }
  const secret = generateAccessToken();
  await insertAccessToken(change, row, hashToken(secret));
  const token = toAccessToken(row);
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
  if (!(await deleteAccessTokenRow(change, memberId, tokenId))) {
    throw new ApiError(
      'access_token_not_found',
      'This member has no access token with this ID, or it has been deleted or has expired. List the access tokens to ' +
        'see the current ones.',
    );
  }
  await recordEnds(change, [{ id: tokenId, member_id: memberId }], 'deleted');
}

/** Deletes every access token of some members. */
export async function endAccessTokensOf(
  change: Change,
  memberIds: readonly string[],
  reason: Exclude<AccessTokenEnd, 'deleted'>,
): Promise<void> {
  await recordEnds(change, await deleteAccessTokensOf(change, memberIds), reason);
}

/** Deletes every access token of the site, without an event for each. */
export async function endEveryAccessToken(change: Change): Promise<void> {
  await deleteEveryAccessToken(change);
}

export { selectExpiredAccessTokens as findExpiredAccessTokens } from './access-token-store.ts';

/** Deletes expired access tokens, without events, as they end by themselves. */
export async function purgeAccessTokens(
  change: Change,
  rows: readonly { readonly id: string }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const deleted = await purgeAccessTokenRows(change, ids);
  await addTombstones(change, deleted.map(toTombstone));
}

async function recordEnds(
  change: Change,
  tokens: readonly AccessTokenIds[],
  reason: AccessTokenEnd,
): Promise<void> {
  await addTombstones(change, tokens.map(toTombstone));
  for (const [memberId, ended] of Map.groupBy(tokens, ({ member_id }) => member_id)) {
    change.record(
      accessTokensDeleted(
        memberId,
        ended.map(({ id }) => id),
        reason,
      ),
    );
  }
}

/** Keeps the position in the list of the member, so that cursors on it stay valid. */
function toTombstone({ id, member_id }: AccessTokenIds): Tombstone {
  return { list: listOf(member_id), id };
}

function listOf(memberId: string): string {
  return `access tokens of ${memberId}`;
}
