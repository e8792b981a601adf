import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { expiryOf } from '../../../storage/sql/expiring-rows.ts';
import { allValues } from '../../../storage/sql/results.ts';
import { limitInOrder } from '../../../storage/sql/row-limit.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import { deleteParts, type ListPartKey } from '../uploads/list-part-store.ts';

// The many rows that a source leaves when it is deleted. Each statement deletes a few of them, and returns how many.

export async function insertDeletedSource(
  { db, siteId, now }: SiteView<Transaction>,
  sourceId: string,
): Promise<void> {
  await db.run(
    sql`INSERT INTO deleted_sources (site_id, id, deleted_at) VALUES (${siteId}, ${sourceId}, ${now})`,
  );
}

/** Sources that were deleted and may still have rows. */
export const { find: findDeletedSources } = expiryOf({ table: 'deleted_sources', time: 'deleted_at' });

export async function deleteDeletedSource(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
): Promise<void> {
  await db.run(sql`DELETE FROM deleted_sources WHERE site_id = ${siteId} AND id = ${sourceId}`);
}

/** A few parts of lists of sources that are deleted. */
export function selectPartsOfDeleted({ db, siteId }: SiteData, limit: number): Promise<ListPartKey[]> {
  return db.all(sql`
    SELECT p.site_id AS "siteId", p.source_id AS "sourceId", p.collection, p.list, p.part
    FROM deleted_sources d CROSS JOIN source_list_parts p
    WHERE d.site_id = ${siteId} AND p.site_id = ${siteId} AND p.source_id = d.id LIMIT ${limit}`);
}

export async function deleteSomeParts(
  view: SiteData<Transaction>,
  sourceId: string,
  limit: number,
): Promise<number> {
  const { db, siteId } = view;
  const parts = await db.all<ListPartKey>(sql`
    SELECT site_id AS "siteId", source_id AS "sourceId", collection, list, part FROM source_list_parts
    WHERE site_id = ${siteId} AND source_id = ${sourceId}
    ORDER BY collection, list, part ${limitInOrder(db.dialect, limit)}`);
  if (parts.length > 0) await deleteParts(view, parts);
  return parts.length;
}

export async function deleteSomePeople(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  limit: number,
): Promise<number> {
  const people = await db.all<{ collection: string; email: string }>(sql`
    SELECT collection, email FROM source_people WHERE site_id = ${siteId} AND source_id = ${sourceId}
    ORDER BY collection, email ${limitInOrder(db.dialect, limit)}`);
  const last = people.at(-1);
  if (!last) return 0;
  return db.run(sql`
    DELETE FROM source_people
    WHERE site_id = ${siteId} AND source_id = ${sourceId}
      AND (collection, email) <= (${last.collection}, ${last.email})`);
}

export function deleteSomeCreatedMembers(
  view: SiteData<Transaction>,
  sourceId: string,
  limit: number,
): Promise<number> {
  return deleteSomeMembers(view, sql`source_members`, sourceId, limit);
}

export function deleteSomeBlocks(
  view: SiteData<Transaction>,
  sourceId: string,
  limit: number,
): Promise<number> {
  return deleteSomeMembers(view, sql`source_blocks`, sourceId, limit);
}

async function deleteSomeMembers(
  { db, siteId }: SiteData<Transaction>,
  table: Sql,
  sourceId: string,
  limit: number,
): Promise<number> {
  const ofSource = sql`WHERE site_id = ${siteId} AND source_id = ${sourceId}`;
  const ids = await allValues<string>(db, sql`SELECT member_id FROM ${table} ${ofSource} LIMIT ${limit}`);
  return db.run(sql`DELETE FROM ${table} ${ofSource} AND member_id IN ${valueList(ids)}`);
}
