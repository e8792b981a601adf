import type { AccessToken } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { firstValue } from '../../storage/sql/results.ts';
import type { CredentialTable } from '../credentials/credentials.ts';

export const accessTokenTable: CredentialTable = {
  name: 'access_tokens',
  columns: sql`
    id, member_id AS "memberId", name, path_prefix AS "pathPrefix", created_at AS "createdAt", expires_at AS "expiresAt",
    last_used_at AS "lastUsedAt"`,
  isValid: (now) => sql`(expires_at IS NULL OR expires_at > ${now})`,
};

export async function insertAccessToken(
  { db, siteId }: SiteData<Transaction>,
  { id, memberId, name, pathPrefix, createdAt, expiresAt }: AccessToken,
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO access_tokens (site_id, id, member_id, token_hash, name, path_prefix, created_at, expires_at)
    VALUES (${siteId}, ${id}, ${memberId}, ${tokenHash}, ${name}, ${pathPrefix}, ${createdAt}, ${expiresAt})`);
}

/** The ID of the newest access token of a member, expired or not; undefined if there is none. */
export function selectNewestAccessToken(
  { db, siteId }: SiteData,
  memberId: string,
): Promise<string | undefined> {
  return firstValue(
    db,
    sql`SELECT id FROM access_tokens WHERE site_id = ${siteId} AND member_id = ${memberId}
      ORDER BY id DESC LIMIT 1`,
  );
}

/** Records that a token was used, unless a later use has been recorded. */
export async function markUsed({ db, siteId, now }: SiteView<Transaction>, tokenId: string): Promise<void> {
  await db.run(sql`
    UPDATE access_tokens SET last_used_at = ${now}
    WHERE site_id = ${siteId} AND id = ${tokenId} AND (last_used_at IS NULL OR last_used_at < ${now})`);
}

/** Deletes every access token of a site. */
export async function deleteEveryAccessToken({ db, siteId }: SiteData<Transaction>): Promise<void> {
  await db.run(sql`DELETE FROM access_tokens WHERE site_id = ${siteId}`);
}
