import sql, { empty, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { allValues, countOf, firstValue } from '../../../storage/sql/results.ts';
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
  { db, siteId, now }: SiteView<Transaction>,
  { sourceId, collection, list }: ListId,
  part: number,
  people: readonly ListedPerson[],
): Promise<void> {
  await db.run(sql`
    INSERT INTO source_list_parts (site_id, source_id, collection, list, part, people, created_at)
    VALUES (${siteId}, ${sourceId}, ${collection}, ${list}, ${part}, ${JSON.stringify(people)}, ${now})
    ON CONFLICT (site_id, source_id, collection, list, part) DO UPDATE
    SET people = excluded.people, created_at = excluded.created_at`);
}

/** The numbers of the parts of a list that have been uploaded. */
export function selectPartNumbers(
  { db, siteId }: SiteData,
  { sourceId, collection, list }: ListId,
): Promise<number[]> {
  return allValues(
    db,
    sql`SELECT part FROM source_list_parts ${withoutPeople(db)}
      WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND list = ${list}
      ORDER BY part`,
  );
}

/** How many parts all lists of a site have. */
export function countParts({ db, siteId }: SiteData): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM source_list_parts ${withoutPeople(db)} WHERE site_id = ${siteId}`,
  );
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
    SELECT site_id AS "siteId", source_id AS "sourceId", collection, list, part FROM source_list_parts p ${withoutPeople(db)}
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
  const people = await firstValue<string>(
    db,
    sql`SELECT people FROM source_list_parts
    WHERE site_id = ${siteId} AND source_id = ${sourceId} AND collection = ${collection} AND list = ${list}
      AND part = ${part}`,
  );
  return people === undefined ? undefined : JSON.parse(people);
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
    SELECT site_id AS "siteId", source_id AS "sourceId", collection, list, part FROM source_list_parts
    WHERE created_at <= ${time} ORDER BY created_at LIMIT ${limit}`);
}

export interface ListPartKey extends ListId {
  readonly siteId: string;
  readonly part: number;
}

export async function deleteParts(
  { db, siteId }: SiteData<Transaction>,
  keys: readonly ListPartKey[],
): Promise<void> {
  const values = keys.map(({ sourceId, collection, list, part }) => [sourceId, collection, list, part]);
  await db.run(sql`
    DELETE FROM source_list_parts
    WHERE site_id = ${siteId} AND (source_id, collection, list, part) IN ${keyList(db, values)}`);
}
