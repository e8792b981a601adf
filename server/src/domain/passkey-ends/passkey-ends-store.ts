import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';

export interface DeletedPasskey {
  readonly id: string;
  readonly memberId: string;
}

const columns = sql`id, member_id AS "memberId"`;

/** Deletes the passkeys of members, for whatever host they were made; with `since`, only those added from then on. */
export function deletePasskeys(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
  since: Timestamp | undefined,
): Promise<DeletedPasskey[]> {
  const added = since === undefined ? empty : sql`AND created_at >= ${since}`;
  return db.all(sql`
    DELETE FROM passkeys WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)} ${added}
    RETURNING ${columns}`);
}

export function deletePasskey(
  { db, siteId }: SiteData<Transaction>,
  memberId: string,
  passkeyId: string,
): Promise<(DeletedPasskey & { readonly name: string }) | undefined> {
  return db.get(sql`
    DELETE FROM passkeys WHERE site_id = ${siteId} AND id = ${passkeyId} AND member_id = ${memberId}
    RETURNING ${columns}, name`);
}
