import sql, { empty, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { keyList } from '../../../storage/sql/value-list.ts';
import type { UploadedList } from '../runs/run.ts';

/** Identifies an uploaded list of a site. */
export interface ListId extends UploadedList {
  readonly sourceId: string;
}

/** A person of an uploaded list, as uploaded. */
export interface ListedPerson {
  readonly email: string;
  readonly displayName?: string | null;
  readonly paid?: boolean;
  readonly groups?: readonly string[];
}

/** Stores a part of a list. A part that is uploaded again replaces the earlier one. */
export async function upsertListPart(
  { db, siteId }: SiteData<Transaction>,
  { sourceId, collection, list }: ListId,
  {
    part,
    people,
    at,
  }: { readonly part: number; readonly people: readonly ListedPerson[]; readonly at: Timestamp },
): Promise<void> {
  await db.run(sql`
    INSERT INTO source_list_parts (site_id, source_id, collection, list, part, people, created_at)
    VALUES (${siteId}, ${sourceId}, ${collection}, ${list}, ${part}, ${JSON.stringify(people)}, ${at})
    ON CONFLICT (site_id, source_id, collection, list, part) DO UPDATE
    SET people = excluded.people, created_at = excluded.created_at`);
}

/** The numbers of the parts of a list that have been uploaded. */
export async function selectPartNumbers(
  { db, siteId }: SiteData,
  { sourceId, collection, list }: ListId,
): Promise<number[]> {
  const rows = await db.all<{ part: number }>(sql`
    SELECT part FROM source_list_parts ${withoutPeople(db)}
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND list = ${list}
    ORDER BY part`);
  return rows.map(({ part }) => part);
}

/** How many parts all lists of a site have. */
export async function countParts({ db, siteId }: SiteData): Promise<number> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM source_list_parts ${withoutPeople(db)} WHERE site_id = ${siteId}`);
  return Number(row?.count);
}

/**
 * A few parts of lists that got their last one at or before a time, and that no run applies.
 * @returns the keys of the parts
 */
export function selectAbandonedParts(
  { db, siteId }: SiteData,
  time: Timestamp,
  limit: number,
): Promise<ListPartKey[]> {
  return db.all(sql`
    SELECT site_id, source_id, collection, list, part FROM source_list_parts p ${withoutPeople(db)}
    WHERE site_id = ${siteId} AND created_at <= ${time}
      AND NOT EXISTS (
        SELECT 1 FROM source_list_parts later ${withoutPeople(db)}
        WHERE later.site_id = ${siteId} AND later.source_id = p.source_id AND later.collection = p.collection
          AND later.list = p.list AND later.created_at > ${time})
      AND NOT EXISTS (
        SELECT 1 FROM source_runs r
        WHERE r.site_id = ${siteId} AND r.source_id = p.source_id AND r.list IS NOT NULL
          AND r.status IN ('waiting', 'running'))
    ORDER BY created_at LIMIT ${limit}`);
}

/** SQLite would otherwise read everyone in a part to find out to which list it belongs. */
function withoutPeople({ dialect }: Queries): Sql {
  return dialect === 'sqlite' ? sql`INDEXED BY source_list_parts_by_age` : empty;
}

export async function selectListPart(
  { db, siteId }: SiteData,
  { sourceId, collection, list }: ListId,
  part: number,
): Promise<ListedPerson[] | undefined> {
  const row = await db.get<{ people: string }>(sql`
    SELECT people FROM source_list_parts
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND list = ${list}
      AND part = ${part}`);
  return row && JSON.parse(row.people);
}

/** Deletes the parts of a list from one on. */
export async function deleteListParts(
  { db, siteId }: SiteData<Transaction>,
  { sourceId, collection, list }: ListId,
  firstPart: number,
): Promise<void> {
  await db.run(sql`
    DELETE FROM source_list_parts
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND list = ${list}
      AND part >= ${firstPart}`);
}

/** A few parts that were uploaded at or before a time, over all sites. */
export function selectListPartsBefore(db: Queries, time: Timestamp, limit: number): Promise<ListPartKey[]> {
  return db.all(sql`
    SELECT site_id, source_id, collection, list, part FROM source_list_parts
    WHERE created_at <= ${time} ORDER BY created_at LIMIT ${limit}`);
}

export interface ListPartKey {
  site_id: string;
  source_id: string;
  collection: string;
  list: string;
  part: number;
}

export async function deleteParts(
  { db, siteId }: SiteData<Transaction>,
  keys: readonly ListPartKey[],
): Promise<void> {
  const values = keys.map(({ source_id, collection, list, part }) => [source_id, collection, list, part]);
  await db.run(sql`
    DELETE FROM source_list_parts
    WHERE site_id = ${siteId} AND (source_id, collection, list, part) IN ${keyList(db, values)}`);
}
