import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { jsonColumn, TableColumns } from '../../storage/sql/columns.ts';
import { allValues } from '../../storage/sql/results.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { ApiKey } from './api-key.ts';

const columns = new TableColumns<ApiKey>('api_keys', {
  siteId: 'site_id',
  id: 'id',
  name: 'name',
  last4: 'last4',
  permissions: jsonColumn('permissions'),
  rateLimit: 'rate_limit',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  replacedBy: 'replaced_by',
});

export async function insertApiKey(tx: Transaction, key: ApiKey, hash: string): Promise<void> {
  await tx.run(sql`
    INSERT INTO api_keys (site_id, id, name, hash, last4, permissions, rate_limit, created_at, expires_at)
    VALUES (${key.siteId}, ${key.id}, ${key.name}, ${hash}, ${key.last4}, ${JSON.stringify(key.permissions)},
            ${key.rateLimit}, ${key.createdAt}, ${key.expiresAt})`);
}

/** A query without a site, because the key determines the site. */
export function selectApiKeyByHash(db: Queries, hash: string): Promise<ApiKey | undefined> {
  return columns.get(db, sql`SELECT ${columns.list} FROM api_keys WHERE hash = ${hash}`);
}

/** Which of these hashes are those of valid keys. A query without a site, because the key determines the site. */
export function selectHashesOfKeys(
  db: Queries,
  hashes: readonly string[],
  now: Timestamp,
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT hash FROM api_keys
    WHERE hash IN ${valueList(hashes)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`,
  );
}

export function selectApiKey(view: SiteData, keyId: string): Promise<ApiKey | undefined> {
  return columns.first(view, sql`AND id = ${keyId}`);
}

export function selectApiKeys(view: SiteData): Promise<ApiKey[]> {
  return columns.find(view, sql`ORDER BY id`);
}

/** A page of a site's keys, newest first. */
export function selectApiKeysBefore(
  view: SiteData,
  after: string | undefined,
  limit: number,
): Promise<ApiKey[]> {
  return columns.page(view, after, limit);
}

/** Returns false when the key had already been revoked. */
export async function markRevoked(
  { db, siteId, now }: SiteView<Transaction>,
  keyId: string,
): Promise<boolean> {
  const changed = await db.run(sql`
    UPDATE api_keys SET revoked_at = ${now} WHERE site_id = ${siteId} AND id = ${keyId} AND revoked_at IS NULL`);
  return changed > 0;
}

/** Returns false when the key had already been replaced or revoked. */
export async function markReplaced(
  { db, siteId }: SiteData<Transaction>,
  keyId: string,
  replacedBy: string,
  expiresAt: Timestamp,
): Promise<boolean> {
  const changed = await db.run(sql`
    UPDATE api_keys SET replaced_by = ${replacedBy}, expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND id = ${keyId} AND revoked_at IS NULL AND replaced_by IS NULL`);
  return changed > 0;
}

/** When keys were last used, by their ids. */
export async function selectUsesOfKeys(
  { db, siteId }: SiteData,
  keyIds: readonly string[],
): Promise<Map<string, Timestamp>> {
  const rows = await db.all<{ keyId: string; usedAt: Timestamp }>(sql`
    SELECT key_id AS "keyId", used_at AS "usedAt" FROM api_key_uses
    WHERE site_id = ${siteId} AND key_id IN ${valueList(keyIds)}`);
  return new Map(rows.map(({ keyId, usedAt }) => [keyId, usedAt]));
}

/** Records when a key was used, unless that is recorded already. */
export async function saveUse(
  { db, siteId }: SiteData<Transaction>,
  keyId: string,
  usedAt: Timestamp,
): Promise<void> {
  await db.run(sql`
    INSERT INTO api_key_uses (site_id, key_id, used_at) VALUES (${siteId}, ${keyId}, ${usedAt})
    ON CONFLICT (site_id, key_id) DO UPDATE SET used_at = excluded.used_at
    WHERE api_key_uses.used_at < excluded.used_at`);
}
