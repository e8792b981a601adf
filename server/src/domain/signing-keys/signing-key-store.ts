import sql, { join } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { SigningKeyRow } from './signing-key.ts';

/** The keys of a site, newest first. */
export function selectSigningKeys({ db, siteId }: SiteData): Promise<SigningKeyRow[]> {
  return db.all<SigningKeyRow>(sql`
    SELECT id, public_key, secret, signs_from, published_until
    FROM signing_keys WHERE site_id = ${siteId} ORDER BY id DESC`);
}

export async function insertSigningKey(
  { db, siteId }: SiteData<Transaction>,
  key: SigningKeyRow,
): Promise<void> {
  await db.run(sql`
    INSERT INTO signing_keys (site_id, id, public_key, secret, signs_from, published_until)
    VALUES (${siteId}, ${key.id}, ${key.public_key}, ${key.secret}, ${key.signs_from}, ${key.published_until})`);
}

export async function setEndOfSigningKey(
  { db, siteId }: SiteData<Transaction>,
  keyId: string,
  publishedUntil: Timestamp,
): Promise<void> {
  await db.run(sql`
    UPDATE signing_keys SET published_until = ${publishedUntil} WHERE site_id = ${siteId} AND id = ${keyId}`);
}

export async function deleteSigningKeys(
  { db, siteId }: SiteData<Transaction>,
  keyIds: readonly string[],
): Promise<void> {
  await db.run(sql`DELETE FROM signing_keys WHERE site_id = ${siteId} AND id IN ${valueList(keyIds)}`);
}

/** A few keys that are no longer published, over all sites. */
export function selectEndedSigningKeys(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM signing_keys WHERE published_until <= ${now} ORDER BY published_until LIMIT ${limit}`);
}

/** The sites with private keys whose sealed form begins with one of these texts. */
export async function selectSitesWithSigningKeys(
  db: Queries,
  prefixes: readonly string[],
): Promise<string[]> {
  const forms = prefixes.map((prefix) => sql`secret LIKE ${`${prefix}%`}`);
  const rows = await db.all<{ site_id: string }>(
    sql`SELECT DISTINCT site_id FROM signing_keys WHERE ${join(forms, ' OR ')}`,
  );
  return rows.map(({ site_id }) => site_id);
}

/** Replaces a sealed private key, unless it was changed since it was read. */
export async function replaceSigningSecret(
  { db, siteId }: SiteData<Transaction>,
  { id, secret }: Pick<SigningKeyRow, 'id' | 'secret'>,
  replacement: string,
): Promise<void> {
  await db.run(sql`
    UPDATE signing_keys SET secret = ${replacement} WHERE site_id = ${siteId} AND id = ${id} AND secret = ${secret}`);
}
