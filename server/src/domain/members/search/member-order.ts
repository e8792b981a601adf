import type { MemberSortField } from '@gatehouse/contract';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { inBatches } from '../../../storage/sql/batches.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import type { MemberRow } from '../member.ts';
import { sortColumns } from '../member-columns.ts';
import type { MemberFilter } from './member-filter.ts';

export interface MemberOrder {
  readonly sort: MemberSortField;
  readonly order: 'asc' | 'desc';
}

/** A position in an order: after this item. `key` is its value in the sort column. */
export interface CursorPosition {
  readonly id: string;
  readonly key: string | null;
}

/** A page of a list of members. */
export interface ListRequest {
  readonly siteId: string;
  readonly now: Timestamp;
  readonly filter: MemberFilter;
  readonly order: MemberOrder;
  readonly after: CursorPosition | undefined;
  readonly limit: number;
}

export interface FoundMembers {
  readonly rows: MemberRow[];
  /**
   * The last member that was examined, if the search ended before it found enough and before the end of the list. Later
   * members may match.
   */
  readonly examinedTo?: string | undefined;
}

/** In which direction an order goes: the operator for what comes later, and the direction of `ORDER BY`. */
export const directions = { asc: [raw('>'), raw('ASC')], desc: [raw('<'), raw('DESC')] } as const;

export function isOrderOfCreation({ sort }: MemberOrder): boolean {
  return sortColumns[sort] === null;
}

/** The column of an order, as the `key` of a `CursorPosition`. */
export function keyColumn({ sort }: MemberOrder): Sql {
  return raw(sortColumns[sort] ?? 'NULL');
}

/** A part of an order that an index has in one piece: the condition for its members, and their order. */
export interface OrderRange {
  readonly condition: Sql;
  readonly orderBy: Sql;
}

/** The parts of an order after a position, one after the other. */
export function rangesOf({ sort, order }: MemberOrder, after: CursorPosition | undefined): OrderRange[] {
  const [beyond, direction] = directions[order];
  const byId = sql`ORDER BY id ${direction}`;
  const beyondId = after ? sql`id ${beyond} ${after.id}` : raw('TRUE');
  const column = sortColumns[sort];
  if (column === null) return [{ condition: beyondId, orderBy: byId }];

  // Nulls come last in both directions, which no index provides: first the members with a value, then those without.
  const by = raw(column);
  if (after && after.key === null) return [{ condition: sql`${by} IS NULL AND ${beyondId}`, orderBy: byId }];
  const passed = after ? sql`AND (${by}, id) ${beyond} (${after.key}, ${after.id})` : empty;
  return [
    {
      condition: sql`${by} IS NOT NULL ${passed}`,
      orderBy: sql`ORDER BY ${by} ${direction}, id ${direction}`,
    },
    { condition: sql`${by} IS NULL`, orderBy: byId },
  ];
}

/** The part of a range that ends with a position in it, which belongs to it. */
export function upTo({ sort, order }: MemberOrder, { id, key }: CursorPosition): Sql {
  const until = order === 'asc' ? raw('<=') : raw('>=');
  const column = sortColumns[sort];
  if (column === null || key === null) return sql`id ${until} ${id}`;
  return sql`(${raw(column)}, id) ${until} (${key}, ${id})`;
}

/** The whole of an order after a position, and the order. */
export function wholeOrder(order: MemberOrder, after: CursorPosition | undefined): OrderRange {
  const [, direction] = directions[order.order];
  const column = sortColumns[order.sort];
  const byKey = column === null ? empty : sql`${raw(column)} ${direction} NULLS LAST,`;
  const ranges = rangesOf(order, after).map(({ condition }) => condition);
  return {
    condition: sql`((${join(ranges, ') OR (')}))`,
    orderBy: sql`ORDER BY ${byKey} id ${direction}`,
  };
}

const sortKeys = raw(
  Object.values(sortColumns)
    .filter((column) => column !== null)
    .join(', '),
);

/** The values that determine a member's position in each order; undefined when the member does not exist. */
export async function selectSortKeys(
  { db, siteId }: SiteData,
  memberIds: readonly string[],
): Promise<Map<string, Record<string, string | null>>> {
  const rows = await inBatches(memberIds, (ids) =>
    db.all<{ id: string } & Record<string, string | null>>(sql`
      SELECT id, ${sortKeys} FROM members
      WHERE site_id = ${siteId} AND id IN ${valueList(ids)}`),
  );
  return new Map(rows.map(({ id, ...keys }) => [id, keys]));
}

/** Selects the key of one order from a member's sort keys. */
export function cursorPositionOf(
  id: string,
  keys: Readonly<Record<string, string | null>>,
  sort: MemberSortField,
): CursorPosition {
  const column = sortColumns[sort];
  return { id, key: column === null ? null : (keys[column] ?? null) };
}
