import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';

/** Deletes every passkey of members, for whatever domain it was made. */
export async function deletePasskeysOf(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  await db.run(sql`DELETE FROM passkeys WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}`);
}
