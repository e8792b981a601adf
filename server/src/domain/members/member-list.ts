import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { inBatches } from '../../storage/batches.ts';
import type { Queries } from '../../storage/database.ts';
import { valueList } from '../../storage/value-list.ts';
import type { MemberRow } from './member.ts';
import {
  allCandidates,
  candidatesOfPage,
  candidatesWithinLimit,
  conditions,
  type MemberFilter,
  needsCandidates,
} from './member-filter.ts';
import { memberColumns } from './member-store.ts';

export type MemberSort = 'createdAt' | 'updatedAt' | 'registeredAt' | 'lastLoginAt' | 'email' | 'displayName';

/** The sort column of each order; null for the id, which is the order of creation. */
const sortColumns: Readonly<Record<MemberSort, string | null>> = {
  createdAt: null,
  updatedAt: 'updated_at',
  registeredAt: 'registered_at',
  lastLoginAt: 'last_login_at',
  email: 'email',
  displayName: 'name_key',
};

export interface MemberOrder {
  readonly sort: MemberSort;
  readonly order: 'asc' | 'desc';
}

/** A position in an order: after this item. `key` is its value in the sort column. */
export interface CursorPosition {
  readonly id: string;
  readonly key: string | null;
}

/** How many members are scanned in order before all members that match the filter are fetched instead. */
const maxWalk = 5_000;

/** The members that match a filter, in an order, after a position. */
export async function selectMembers(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
  order: MemberOrder,
  after: CursorPosition | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const page = (selection: Partial<Selection>) =>
    selectPage(
      db,
      { ...everyMember, siteId, where: conditions(db, siteId, filter), ...selection },
      order,
      after,
      limit,
    );
  if (!needsCandidates(db, filter)) return page({});

  if (sortColumns[order.sort] === null && filter.q === undefined) {
    const candidates = await candidatesOfPage(db, siteId, filter, directions[order.order], after?.id, limit);
    const rows = await page(narrowedTo(candidates));
    // A member was deleted or changed in between: the short page would look like the end of the list.
    return rows.length < limit && candidates.length >= limit ? page({}) : rows;
  }
  const candidates = await candidatesWithinLimit(db, siteId, filter);
  if (candidates) return page(narrowedTo(candidates));

  // When many members match, a scan in order usually finds enough of them soon, unless they are all far away.
  const met = await page({ walk: maxWalk });
  if (met.length === limit) return met;
  const all = await allCandidates(db, siteId, filter);
  return page(all ? narrowedTo(all) : {});
}

/** The source and the conditions of a query. */
interface Selection {
  readonly siteId: string;
  readonly from: Sql;
  readonly where: Sql;
  readonly narrowed: Sql;
  /** The maximum number of members to scan in order. */
  readonly walk: number | undefined;
}

const everyMember = { from: raw('members'), narrowed: empty, walk: undefined };

/** Fetches candidates by their row numbers, and prevents the planner from scanning an index instead. */
function narrowedTo(numbers: readonly number[]): Pick<Selection, 'from' | 'narrowed'> {
  return {
    from: raw('members NOT INDEXED'),
    narrowed: sql`AND number IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
  };
}

async function selectPage(
  db: Queries,
  selection: Selection,
  { sort, order }: MemberOrder,
  after: CursorPosition | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const [beyond, direction] = directions[order];
  const byId = sql`ORDER BY id ${direction}`;
  const beyondId = (place: CursorPosition | undefined) => (place ? sql`AND id ${beyond} ${place.id}` : empty);
  const column = sortColumns[sort];
  if (column === null) return selectRows(db, selection, beyondId(after), byId, limit);

  // Nulls come last in both directions, which no index provides: first the members with a value, then those without.
  const by = raw(column);
  const passed =
    after === undefined || after.key === null
      ? empty
      : sql`AND (${by}, id) ${beyond} (${after.key}, ${after.id})`;
  const withValue = sql`AND ${by} IS NOT NULL ${passed}`;
  const byValue = sql`ORDER BY ${by} ${direction}, id ${direction}`;
  const startsWithout = after !== undefined && after.key === null;
  const rows = startsWithout ? [] : await selectRows(db, selection, withValue, byValue, limit);
  if (rows.length === limit) return rows;
  const withoutValue = sql`AND ${by} IS NULL ${beyondId(startsWithout ? after : undefined)}`;
  return [...rows, ...(await selectRows(db, selection, withoutValue, byId, limit - rows.length))];
}

function selectRows(
  db: Queries,
  { siteId, from, where, narrowed, walk }: Selection,
  stretch: Sql,
  orderBy: Sql,
  limit: number,
): Promise<MemberRow[]> {
  const source =
    walk === undefined
      ? from
      : sql`(SELECT * FROM members WHERE site_id = ${siteId} ${stretch} ${orderBy} LIMIT ${walk})`;
  return db.all<MemberRow>(sql`
    SELECT ${memberColumns} FROM ${source} WHERE ${where} ${narrowed} ${stretch} ${orderBy} LIMIT ${limit}`);
}

const directions = { asc: [raw('>'), raw('ASC')], desc: [raw('<'), raw('DESC')] } as const;

/** The values that determine a member's position in each order; undefined when the member does not exist. */
export async function selectSortKeys(
  db: Queries,
  siteId: string,
  memberIds: readonly string[],
): Promise<Map<string, Record<string, string | null>>> {
  const rows = await inBatches(memberIds, (ids) =>
    db.all<{ id: string } & Record<string, string | null>>(sql`
      SELECT id, updated_at, registered_at, last_login_at, email, name_key FROM members
      WHERE site_id = ${siteId} AND id IN ${valueList(ids)}`),
  );
  return new Map(rows.map(({ id, ...keys }) => [id, keys]));
}

/** Selects the key of one order from a member's sort keys. */
export function cursorPositionOf(
  id: string,
  keys: Readonly<Record<string, string | null>>,
  sort: MemberSort,
): CursorPosition {
  const column = sortColumns[sort];
  return { id, key: column === null ? null : (keys[column] ?? null) };
}
