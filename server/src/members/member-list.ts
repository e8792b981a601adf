import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Queries } from '../storage/database.ts';
import type { MemberRow } from './member.ts';
import {
  allCandidates,
  candidatesOfPage,
  conditions,
  fewCandidates,
  type MemberFilter,
  needsCandidates,
} from './member-filter.ts';
import { memberColumns } from './member-store.ts';

export type MemberSort = 'createdAt' | 'updatedAt' | 'registeredAt' | 'lastLoginAt' | 'email' | 'displayName';

/** The column each order goes by; null for the id, which is in the order of creation. */
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

/** A place in an order: after this item. `key` is its value in the sort column. */
export interface Place {
  readonly id: string;
  readonly key: string | null;
}

/** So many members are passed by along an order before its filter is asked for all that it lets through. */
const longestWalk = 5_000;

/** The members after a place, in an order, that pass a filter. */
export async function selectMembers(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
  order: MemberOrder,
  after: Place | undefined,
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
    // One of them was deleted or changed meanwhile: the short page would look like the end of the list.
    return rows.length < limit && candidates.length >= limit ? page({}) : rows;
  }
  const few = await fewCandidates(db, siteId, filter);
  if (few) return page(narrowedTo(few));

  // Where they are many, a walk along the order meets enough of them soon, unless they all stand elsewhere.
  const met = await page({ walk: longestWalk });
  if (met.length === limit) return met;
  const all = await allCandidates(db, siteId, filter);
  return page(all ? narrowedTo(all) : {});
}

/** Where to look, and what for. */
interface Selection {
  readonly siteId: string;
  readonly from: Sql;
  readonly where: Sql;
  readonly narrowed: Sql;
  /** At most so many members along the order are looked at. */
  readonly walk: number | undefined;
}

const everyMember = { from: raw('members'), narrowed: empty, walk: undefined };

/** Candidates are fetched by their row numbers: no index may tempt the planner to walk along it instead. */
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
  after: Place | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const [beyond, direction] = directions[order];
  const byId = sql`ORDER BY id ${direction}`;
  const beyondId = (place: Place | undefined) => (place ? sql`AND id ${beyond} ${place.id}` : empty);
  const column = sortColumns[sort];
  if (column === null) return selectRows(db, selection, beyondId(after), byId, limit);

  // Nulls come last both ways, which no index gives by itself: first those with a value, then those without.
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

/** The value that gives a member its place in an order; undefined when there is no such member. */
export async function selectSortKeys(
  db: Queries,
  siteId: string,
  memberId: string,
): Promise<Record<string, string | null> | undefined> {
  return db.get(sql`
    SELECT updated_at, registered_at, last_login_at, email, name_key FROM members
    WHERE site_id = ${siteId} AND id = ${memberId}`);
}

/** Picks, from a member's sort keys, the one of an order. */
export function placeOf(id: string, keys: Readonly<Record<string, string | null>>, sort: MemberSort): Place {
  const column = sortColumns[sort];
  return { id, key: column === null ? null : (keys[column] ?? null) };
}
