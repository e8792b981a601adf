import sql from 'sql-template-tag';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import { firstValue } from '../../storage/sql/results.ts';
import { keyList } from '../../storage/sql/value-list.ts';

/** How long a cursor stays valid after its item was removed. */
const lifetimeMilliseconds = millisecondsPerDay;

/** An item that was removed from a list, and its position there. */
export interface Tombstone {
  readonly list: string;
  readonly id: string;
  /** The item's values in the sort columns, where the id alone does not determine the position. */
  readonly sortKeys?: Readonly<Record<string, string | null>>;
}

/** Stores the positions of items that are removed from a list, so that cursors on them stay valid for a day. */
export async function addTombstones(
  { db, siteId, now }: SiteView<Transaction>,
  tombstones: readonly Tombstone[],
): Promise<void> {
  if (tombstones.length === 0) return;
  await db.insert(
    'cursor_tombstones',
    ['site_id', 'list', 'item_id', 'sort_keys', 'deleted_at'],
    tombstones.map(({ list, id, sortKeys }) => [
      siteId,
      list,
      id,
      sortKeys ? JSON.stringify(sortKeys) : null,
      now,
    ]),
    `ON CONFLICT (site_id, list, item_id)
     DO UPDATE SET sort_keys = excluded.sort_keys, deleted_at = excluded.deleted_at`,
  );
}

/** @throws {ApiError} `invalid_cursor` when the list had no such item within the last day */
export async function findTombstone(
  { db, siteId, now }: SiteView,
  list: string,
  itemId: string,
): Promise<Pick<Tombstone, 'id' | 'sortKeys'>> {
  const row = await db.get<{ sortKeys: string | null }>(sql`
    SELECT sort_keys AS "sortKeys" FROM cursor_tombstones
    WHERE site_id = ${siteId} AND list = ${list} AND item_id = ${itemId}
      AND deleted_at > ${timestampBefore(now, lifetimeMilliseconds)}`);
  if (!row) throw invalidCursor();
  return row.sortKeys ? { id: itemId, sortKeys: JSON.parse(row.sortKeys) } : { id: itemId };
}

/** The greatest ID that was removed from a list within the last day; null if there is none. */
export async function findNewestTombstone(
  { db, siteId, now }: SiteView,
  list: string,
): Promise<string | null> {
  const newest = await firstValue<string>(
    db,
    sql`SELECT item_id FROM cursor_tombstones
    WHERE site_id = ${siteId} AND list = ${list}
      AND deleted_at > ${timestampBefore(now, lifetimeMilliseconds)}
    ORDER BY item_id DESC LIMIT 1`,
  );
  return newest ?? null;
}

/** A few expired tombstones, over all sites. */
export function findExpiredTombstones(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<(ExpiredRow & { list: string })[]> {
  return db.all(sql`
    SELECT site_id AS "siteId", list, item_id AS id FROM cursor_tombstones
    WHERE deleted_at <= ${timestampBefore(now, lifetimeMilliseconds)} ORDER BY deleted_at LIMIT ${limit}`);
}

/** Deletes tombstones, unless their items have been removed from the list a second time since. */
export async function purgeTombstones(
  { db, siteId, now }: SiteView<Transaction>,
  rows: readonly { readonly list: string; readonly id: string }[],
): Promise<void> {
  const keys = rows.map(({ list, id }) => [list, id]);
  await db.run(sql`
    DELETE FROM cursor_tombstones
    WHERE site_id = ${siteId} AND deleted_at <= ${timestampBefore(now, lifetimeMilliseconds)}
      AND (list, item_id) IN ${keyList(db, keys)}`);
}

export function invalidCursor(): ApiError {
  return new ApiError(
    'invalid_cursor',
    'This cursor does not belong to this list, or its item was removed more than 24 hours ago. Start again without `after`.',
  );
}
