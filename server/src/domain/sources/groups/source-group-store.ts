import sql from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';

/** The scope group of a collection, or of a value of the column that names groups. */
export interface SourceGroup {
  /** Empty for a value, which may be in several collections. */
  readonly collection: string;
  /** Empty for the group of a collection. */
  readonly value: string;
  readonly groupId: string;
  /** Since when no one has the value; null while someone does. */
  readonly unusedSince: Timestamp | null;
}

const columns = sql`collection, value, group_id AS "groupId", unused_since AS "unusedSince"`;

export function selectSourceGroups({ db, siteId }: SiteData, sourceId: string): Promise<SourceGroup[]> {
  return db.all<SourceGroup>(sql`
    SELECT ${columns} FROM source_groups
    WHERE site_id = ${siteId} AND source_id = ${sourceId} ORDER BY collection, value`);
}

export async function insertSourceGroup(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  { collection, value, groupId }: Omit<SourceGroup, 'unusedSince'>,
): Promise<void> {
  await db.run(sql`
    INSERT INTO source_groups (site_id, source_id, collection, value, group_id)
    VALUES (${siteId}, ${sourceId}, ${collection}, ${value}, ${groupId})`);
}

export async function updateUnusedSince(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  { collection, value, unusedSince }: SourceGroup,
): Promise<void> {
  await db.run(sql`
    UPDATE source_groups SET unused_since = ${unusedSince}
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND value = ${value}`);
}

export async function deleteSourceGroup(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  { collection, value }: SourceGroup,
): Promise<void> {
  await db.run(sql`
    DELETE FROM source_groups
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND value = ${value}`);
}
