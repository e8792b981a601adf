import sql from 'sql-template-tag';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import type { Queries, Transaction } from '../storage/database.ts';

/** How long a cursor outlives its item. */
const lifetimeMilliseconds = millisecondsPerDay;

export interface DepartedItem {
  readonly id: string;
  /** The values the list can be sorted by, where the id alone does not give the place. */
  readonly sortKeys?: Readonly<Record<string, string | null>>;
}

/** Remembers items that leave a list, so that a cursor on one of them still finds its place for a day. */
export async function rememberDeparted(
  tx: Transaction,
  siteId: string,
  list: string,
  items: readonly DepartedItem[],
  at: Timestamp,
): Promise<void> {
  if (items.length === 0) return;
  await tx.insert(
    'departed_items',
    ['site_id', 'list', 'item_id', 'sort_keys', 'departed_at'],
    items.map(({ id, sortKeys }) => [siteId, list, id, sortKeys ? JSON.stringify(sortKeys) : null, at]),
    `ON CONFLICT (site_id, list, item_id)
     DO UPDATE SET sort_keys = excluded.sort_keys, departed_at = excluded.departed_at`,
  );
}

/** @throws Refusal `invalid_cursor` when the list had no such item within the last day */
export async function findDeparted(
  db: Queries,
  siteId: string,
  list: string,
  itemId: string,
  now: Timestamp,
): Promise<DepartedItem> {
  const row = await db.get<{ sort_keys: string | null }>(sql`
    SELECT sort_keys FROM departed_items
    WHERE site_id = ${siteId} AND list = ${list} AND item_id = ${itemId}
      AND departed_at > ${timestampBefore(now, lifetimeMilliseconds)}`);
  if (!row) throw invalidCursor();
  return row.sort_keys ? { id: itemId, sortKeys: JSON.parse(row.sort_keys) } : { id: itemId };
}

/** Forgets a few of those whose day is over. Gives how many. */
export function forgetDeparted(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    DELETE FROM departed_items WHERE site_id = ${siteId} AND (list, item_id) IN (
      SELECT list, item_id FROM departed_items
      WHERE site_id = ${siteId} AND departed_at <= ${timestampBefore(now, lifetimeMilliseconds)} LIMIT ${limit})`);
}

export function invalidCursor(): Refusal {
  return new Refusal(
    'invalid_cursor',
    'This cursor is not of this list, or its item was removed more than 24 hours ago. Start the list again without `after`.',
  );
}
