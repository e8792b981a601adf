import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { allValues } from '../../storage/sql/results.ts';

/** Ends the open invitations of an API key or operator. Returns their ids. */
export async function markRevokedOf(
  { db, siteId, now }: SiteView<Transaction>,
  makerId: string,
): Promise<string[]> {
  const ids = await allValues<string>(
    db,
    sql`UPDATE invitations SET revoked_at = ${now}, updated_at = ${now}
      WHERE site_id = ${siteId} AND maker_id = ${makerId} AND revoked_at IS NULL AND expires_at > ${now}
        AND (max_uses IS NULL OR used_count < max_uses)
      RETURNING id`,
  );
  return ids.sort();
}

/** Gives every invitation of an API key to another one. */
export async function updateMaker(
  { db, siteId }: SiteData<Transaction>,
  makerId: string,
  newMakerId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE invitations SET maker_id = ${newMakerId} WHERE site_id = ${siteId} AND maker_id = ${makerId}`);
}
