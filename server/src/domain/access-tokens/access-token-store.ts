import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { AccessTokenRow } from './access-token.ts';

const columns = sql`id, member_id, name, path_prefix, created_at, expires_at, last_used_at`;

export async function insertAccessToken(
  { db, siteId }: SiteData<Transaction>,
  row: AccessTokenRow,
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO access_tokens (site_id, id, member_id, token_hash, name, path_prefix, created_at, expires_at)
    VALUES (${siteId}, ${row.id}, ${row.member_id}, ${tokenHash}, ${row.name}, ${row.path_prefix}, ${row.created_at},
            ${row.expires_at})`);
}

/** The valid access tokens of a member, newest first. */
export function selectAccessTokens(
  { db, siteId, now }: SiteView,
  memberId: string,
  after: string | undefined,
  limit: number,
): Promise<AccessTokenRow[]> {
  return db.all<AccessTokenRow>(sql`
    SELECT ${columns} FROM access_tokens
    WHERE site_id = ${siteId} AND member_id = ${memberId} AND (expires_at IS NULL OR expires_at > ${now})
      ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

/** Whether the member has this access token, expired or not. */
export async function hasAccessToken(
  { db, siteId }: SiteData,
  memberId: string,
  tokenId: string,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT id FROM access_tokens WHERE site_id = ${siteId} AND id = ${tokenId} AND member_id = ${memberId}`);
  return row !== undefined;
}

/** Which of some hashes are those of valid access tokens of the site. */
export async function selectHashesOfAccessTokens(
  { db, siteId, now }: SiteView,
  hashes: readonly string[],
): Promise<string[]> {
  const rows = await db.all<{ token_hash: string }>(sql`
    SELECT token_hash FROM access_tokens
    WHERE site_id = ${siteId} AND token_hash IN ${valueList(hashes)} AND (expires_at IS NULL OR expires_at > ${now})`);
  return rows.map(({ token_hash }) => token_hash);
}

/** The ID of the newest access token of a member, expired or not; null if there is none. */
export async function selectNewestAccessToken(
  { db, siteId }: SiteData,
  memberId: string,
): Promise<string | null> {
  const row = await db.get<{ id: string }>(sql`
    SELECT id FROM access_tokens WHERE site_id = ${siteId} AND member_id = ${memberId}
    ORDER BY id DESC LIMIT 1`);
  return row?.id ?? null;
}

/** Records that a token was used, unless a later use has been recorded. */
export async function markUsed({ db, siteId, now }: SiteView<Transaction>, tokenId: string): Promise<void> {
  await db.run(sql`
    UPDATE access_tokens SET last_used_at = ${now}
    WHERE site_id = ${siteId} AND id = ${tokenId} AND (last_used_at IS NULL OR last_used_at < ${now})`);
}

/** Identifies a deleted access token. */
export interface AccessTokenIds {
  id: string;
  member_id: string;
}

/** Returns false when the member has no such token, or it has expired. */
export async function deleteAccessTokenRow(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
  tokenId: string,
): Promise<boolean> {
  const deleted = await db.run(sql`
    DELETE FROM access_tokens
    WHERE site_id = ${siteId} AND id = ${tokenId} AND member_id = ${memberId}
      AND (expires_at IS NULL OR expires_at > ${now})`);
  return deleted > 0;
}

/** Deletes the expired access tokens of a member. */
export function deleteExpiredAccessTokens(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
): Promise<AccessTokenIds[]> {
  return db.all(sql`
    DELETE FROM access_tokens WHERE site_id = ${siteId} AND member_id = ${memberId} AND expires_at <= ${now}
    RETURNING id, member_id`);
}

/** A few expired access tokens, over all sites. */
export function selectExpiredAccessTokens(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM access_tokens WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`);
}

/** Deletes those of the given access tokens that have expired. */
export function purgeAccessTokenRows(
  { db, siteId, now }: SiteView<Transaction>,
  ids: readonly string[],
): Promise<AccessTokenIds[]> {
  return db.all(sql`
    DELETE FROM access_tokens WHERE site_id = ${siteId} AND id IN ${valueList(ids)} AND expires_at <= ${now}
    RETURNING id, member_id`);
}

/** Deletes every access token of some members. */
export function deleteAccessTokensOf(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<AccessTokenIds[]> {
  return db.all(sql`
    DELETE FROM access_tokens WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
    RETURNING id, member_id`);
}

/** Deletes every access token of a site. */
export async function deleteEveryAccessToken({ db, siteId }: SiteData<Transaction>): Promise<void> {
  await db.run(sql`DELETE FROM access_tokens WHERE site_id = ${siteId}`);
}
