import sql, { type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { limitInOrder } from '../../../storage/sql/row-limit.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import { deleteParts, type ListPartKey } from '../uploads/list-part-store.ts';

// The many rows that a source leaves when it is deleted. Each statement deletes a few of them, and returns how many.

export interface DeletedSource {
  readonly site_id: string;
  readonly id: string;
}

export async function insertDeletedSource(
  { db, siteId, now }: SiteView<Transaction>,
  sourceId: string,
): Promise<void> {
  await db.run(
    sql`INSERT INTO deleted_sources (site_id, id, deleted_at) VALUES (${siteId}, ${sourceId}, ${now})`,
  );
}

/** A few sources that were deleted by a time and may still have rows, over all sites. */
export function selectDeletedSources(db: Queries, now: Timestamp, limit: number): Promise<DeletedSource[]> {
  return db.all(
    sql`SELECT site_id, id FROM deleted_sources WHERE deleted_at <= ${now} ORDER BY deleted_at LIMIT ${limit}`,
  );
}

export async function deleteDeletedSource(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
): Promise<void> {
  await db.run(sql`DELETE FROM deleted_sources WHERE site_id = ${siteId} AND id = ${sourceId}`);
}

/** A few parts of lists of sources that are deleted. */
export function selectPartsOfDeleted({ db, siteId }: SiteData, limit: number): Promise<ListPartKey[]> {
  return db.all(sql`
    SELECT p.site_id, p.source_id, p.collection, p.list, p.part
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
    SELECT site_id, source_id, collection, list, part FROM source_list_parts
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

export async function deleteSomeCreatedMembers(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  limit: number,
): Promise<number> {
  const members = await db.all<{ member_id: string }>(sql`
    SELECT member_id FROM source_members WHERE site_id = ${siteId} AND source_id = ${sourceId} LIMIT ${limit}`);
  return db.run(sql`DELETE FROM source_members ${ofMembers(siteId, sourceId, members)}`);
}

export async function deleteSomeBlocks(
  { db, siteId }: SiteData<Transaction>,
  sourceId: string,
  limit: number,
): Promise<number> {
  const members = await db.all<{ member_id: string }>(sql`
    SELECT member_id FROM source_blocks WHERE site_id = ${siteId} AND source_id = ${sourceId} LIMIT ${limit}`);
  return db.run(sql`DELETE FROM source_blocks ${ofMembers(siteId, sourceId, members)}`);
}

/** The rows of a source for some members. */
function ofMembers(
  siteId: string,
  sourceId: string,
  members: readonly { readonly member_id: string }[],
): Sql {
  const ids = valueList(members.map(({ member_id }) => member_id));
  return sql`WHERE site_id = ${siteId} AND source_id = ${sourceId} AND member_id IN ${ids}`;
}
