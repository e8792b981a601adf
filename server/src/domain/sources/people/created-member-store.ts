import sql from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { inBatches } from '../../../storage/sql/batches.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import type { CollectionId } from '../collections/collection.ts';

// The members that sources have created, and those whom sources have blocked.

export async function insertCreatedMembers(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  memberIds: readonly string[],
): Promise<void> {
  await db.insert(
    'source_members',
    ['site_id', 'member_id', 'source_id'],
    memberIds.map((memberId) => [siteId, memberId, sourceId]),
    'ON CONFLICT (site_id, member_id) DO NOTHING',
  );
}

/** Remembers which of some members were created by a source that exists and have left a collection. */
export async function markLeft(
  { db, siteId }: SiteData<Transaction>,
  { sourceId, collection }: CollectionId,
  memberIds: readonly string[],
): Promise<void> {
  await inBatches(memberIds, async (batch) => {
    await db.run(sql`
      UPDATE source_members SET left_source = ${sourceId}, left_collection = ${collection}
      WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}
        AND source_id IN (SELECT id FROM sources WHERE site_id = ${siteId})`);
    return [];
  });
}

/** Some members who have left a collection of a source. */
export function selectLeft(
  { db, siteId }: SiteData,
  sourceId: string,
  limit: number,
): Promise<{ memberId: string; collection: string }[]> {
  return db.all(sql`
    SELECT member_id AS "memberId", left_collection AS collection FROM source_members
    WHERE site_id = ${siteId} AND left_source = ${sourceId} ORDER BY member_id LIMIT ${limit}`);
}

export async function clearLeft(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    UPDATE source_members SET left_source = NULL, left_collection = NULL
    WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}`);
}

export async function insertBlocks(
  { db, siteId, now }: SiteView<Transaction>,
  sourceId: string,
  memberIds: readonly string[],
): Promise<void> {
  await db.insert(
    'source_blocks',
    ['site_id', 'source_id', 'member_id', 'blocked_at'],
    memberIds.map((memberId) => [siteId, sourceId, memberId, now]),
    'ON CONFLICT (site_id, source_id, member_id) DO UPDATE SET blocked_at = excluded.blocked_at',
  );
}

/** Deletes the blocks of members by any source. Returns when each was blocked. */
export async function deleteBlocks(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<Map<string, Timestamp>> {
  const rows = await inBatches(memberIds, (batch) =>
    db.all<{ memberId: string; blockedAt: Timestamp }>(sql`
      DELETE FROM source_blocks
      WHERE site_id = ${siteId} AND member_id IN ${valueList(batch)}
      RETURNING member_id AS "memberId", blocked_at AS "blockedAt"`),
  );
  const latest = rows.toSorted((one, other) => (one.blockedAt < other.blockedAt ? -1 : 1));
  return new Map(latest.map(({ memberId, blockedAt }) => [memberId, blockedAt]));
}
