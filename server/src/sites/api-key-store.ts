import sql, { empty, join } from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { forChanges } from '../storage/row-lock.ts';
import type { ApiKeyRow } from './api-key.ts';

const columns = sql`
  site_id, id, name, ending, permissions, rate_limit, created_at, expires_at, revoked_at, replaced_by`;

export async function insertApiKey(tx: Transaction, row: ApiKeyRow, hash: string): Promise<void> {
  await tx.run(sql`
    INSERT INTO api_keys (site_id, id, name, hash, ending, permissions, rate_limit, created_at, expires_at)
    VALUES (${row.site_id}, ${row.id}, ${row.name}, ${hash}, ${row.ending}, ${row.permissions}, ${row.rate_limit},
            ${row.created_at}, ${row.expires_at})`);
}

/** The one look-up without a site: the key is what names the site. */
export function selectApiKeyByHash(db: Queries, hash: string): Promise<ApiKeyRow | undefined> {
  return db.get<ApiKeyRow>(sql`SELECT ${columns} FROM api_keys WHERE hash = ${hash}`);
}

export function selectApiKey(db: Queries, siteId: string, keyId: string): Promise<ApiKeyRow | undefined> {
  return db.get<ApiKeyRow>(sql`SELECT ${columns} FROM api_keys WHERE site_id = ${siteId} AND id = ${keyId}`);
}

/** Locks keys in one order, so that two which change each other wait rather than block each other. */
export function lockApiKeys(
  tx: Transaction,
  siteId: string,
  keyIds: readonly string[],
): Promise<ApiKeyRow[]> {
  return tx.all<ApiKeyRow>(sql`
    SELECT ${columns} FROM api_keys WHERE site_id = ${siteId} AND id IN (${join(keyIds)})
    ORDER BY id ${forChanges(tx)}`);
}

export function selectApiKeys(db: Queries, siteId: string): Promise<ApiKeyRow[]> {
  return db.all<ApiKeyRow>(sql`SELECT ${columns} FROM api_keys WHERE site_id = ${siteId} ORDER BY id`);
}

/** A page of a site's keys, newest first. */
export function selectApiKeysBefore(
  db: Queries,
  siteId: string,
  after: string | undefined,
  limit: number,
): Promise<ApiKeyRow[]> {
  return db.all<ApiKeyRow>(sql`
    SELECT ${columns} FROM api_keys
    WHERE site_id = ${siteId} ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

/** Gives false when the key was revoked before. */
export async function markRevoked(
  tx: Transaction,
  siteId: string,
  keyId: string,
  at: Timestamp,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE api_keys SET revoked_at = ${at} WHERE site_id = ${siteId} AND id = ${keyId} AND revoked_at IS NULL`);
  return changed > 0;
}

/** Gives false when the key was replaced or revoked before. */
export async function markReplaced(
  tx: Transaction,
  siteId: string,
  keyId: string,
  replacedBy: string,
  expiresAt: Timestamp,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE api_keys SET replaced_by = ${replacedBy}, expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND id = ${keyId} AND revoked_at IS NULL AND replaced_by IS NULL`);
  return changed > 0;
}
