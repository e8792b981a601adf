import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';

export interface DeletedPasskey {
  readonly id: string;
  readonly memberId: string;
  readonly name: string;
}

const columns = sql`id, member_id AS "memberId", name`;

/** Deletes the passkeys of members, for whatever host they were made. */
export function deletePasskeys(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<DeletedPasskey[]> {
  return db.all(sql`
    DELETE FROM passkeys WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
    RETURNING ${columns}`);
}

export function deletePasskey(
  { db, siteId }: SiteData<Transaction>,
  memberId: string,
  passkeyId: string,
): Promise<DeletedPasskey | undefined> {
  return db.get(sql`
    DELETE FROM passkeys WHERE site_id = ${siteId} AND id = ${passkeyId} AND member_id = ${memberId}
    RETURNING ${columns}`);
}
