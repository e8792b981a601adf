import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { TableColumns } from '../../storage/sql/columns.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { StoredSigningKey } from './signing-key.ts';

const columns = new TableColumns<StoredSigningKey>('signing_keys', {
  id: 'id',
  publicKey: 'public_key',
  secret: 'secret',
  signsFrom: 'signs_from',
  publishedUntil: 'published_until',
});

/** The keys of a site, newest first. */
export function selectSigningKeys(view: SiteData): Promise<StoredSigningKey[]> {
  return columns.find(view, sql`ORDER BY id DESC`);
}

export async function insertSigningKey(view: SiteData<Transaction>, key: StoredSigningKey): Promise<void> {
  await columns.insert(view, [key]);
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

/** Keys that are no longer published. */
export const { find: findEndedSigningKeys } = expiryOf({ table: 'signing_keys', time: 'published_until' });
