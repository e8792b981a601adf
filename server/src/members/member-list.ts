import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../base/text.ts';
import type { Queries } from '../storage/database.ts';
import { contains, matchingKeys } from '../storage/text-search.ts';
import type { MemberRow } from './member.ts';
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

export interface MemberFilter {
  readonly email?: string;
  readonly status?: string;
  readonly paid?: boolean;
  readonly verified?: boolean;
  readonly q?: string;
}

export interface MemberOrder {
  readonly sort: MemberSort;
  readonly order: 'asc' | 'desc';
}

/** A place in an order: after this item. `key` is its value in the sort column. */
export interface Place {
  readonly id: string;
  readonly key: string | null;
}

/** So few candidates are fetched and sorted rather than found by walking along an index. */
const fewCandidates = 1_000;

/** The members after a place, in an order, that pass a filter. */
export async function selectMembers(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
  order: MemberOrder,
  after: Place | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const column = sortColumns[order.sort];
  const numbers = await candidates(db, siteId, filter, order, after, limit);
  const selection = { ...narrowTo(numbers), where: conditions(db, siteId, filter) };
  if (column === null) return selectById(db, selection, order, after, limit);

  // Nulls come last both ways, which no index gives by itself: first those with a value, then those without.
  const rows =
    after === undefined || after.key !== null
      ? await selectByColumn(db, selection, column, order, after, limit)
      : [];
  if (rows.length === limit) return rows;
  const afterNull = after?.key === null ? after : undefined;
  const withoutValue = { ...selection, where: sql`${selection.where} AND ${raw(column)} IS NULL` };
  return [...rows, ...(await selectById(db, withoutValue, order, afterNull, limit - rows.length))];
}

/** Where to look, and what for. */
interface Selection {
  readonly from: Sql;
  readonly narrowed: Sql;
  readonly where: Sql;
}

const wholeTable = { from: raw('members'), narrowed: empty };

/** Candidates are fetched by their row numbers: no index may tempt the planner to walk along it instead. */
function narrowTo(numbers: readonly number[] | undefined): Pick<Selection, 'from' | 'narrowed'> {
  if (numbers === undefined) return wholeTable;
  return {
    from: raw('members NOT INDEXED'),
    narrowed: sql`AND number IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
  };
}

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

function selectById(
  db: Queries,
  { from, narrowed, where }: Selection,
  { order }: MemberOrder,
  after: Place | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const [beyond, direction] = directions[order];
  const place = after === undefined ? empty : sql`AND id ${beyond} ${after.id}`;
  return db.all<MemberRow>(
    sql`SELECT ${memberColumns} FROM ${from} WHERE ${where} ${narrowed} ${place} ORDER BY id ${direction} LIMIT ${limit}`,
  );
}

function selectByColumn(
  db: Queries,
  { from, narrowed, where }: Selection,
  column: string,
  { order }: MemberOrder,
  after: Place | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const [beyond, direction] = directions[order];
  const by = raw(column);
  const place = after === undefined ? empty : sql`AND (${by}, id) ${beyond} (${after.key}, ${after.id})`;
  return db.all<MemberRow>(sql`
    SELECT ${memberColumns} FROM ${from} WHERE ${where} ${narrowed} AND ${by} IS NOT NULL ${place}
    ORDER BY ${by} ${direction}, id ${direction} LIMIT ${limit}`);
}

const directions = { asc: [raw('>'), raw('ASC')], desc: [raw('<'), raw('DESC')] } as const;

function conditions(db: Queries, siteId: string, { email, status, paid, verified, q }: MemberFilter): Sql {
  return join(
    [
      sql`site_id = ${siteId}`,
      ...(email === undefined ? [] : [sql`email = ${email}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(paid === undefined ? [] : [sql`paid = ${paid}`]),
      ...(verified === undefined ? [] : [sql`verified = ${verified}`]),
      ...(q === undefined ? [] : [contains(db.dialect, raw('search_text'), foldCase(q))]),
    ],
    ' AND ',
  );
}

/**
 * On SQLite: the row numbers of the members that can pass a filter, where they are few; walking along an order would
 * pass by a million others to find them. Where they are many the walk meets enough of them soon: undefined.
 * PostgreSQL chooses between the two by itself.
 */
async function candidates(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
  order: MemberOrder,
  after: Place | undefined,
  limit: number,
): Promise<number[] | undefined> {
  if (db.dialect === 'postgres' || filter.email !== undefined) return undefined;
  const matching =
    filter.q === undefined
      ? undefined
      : await matchingKeys(db, 'members_text', siteId, foldCase(filter.q), fewCandidates);
  const { status, paid, verified } = filter;
  if (matching || (status === undefined && paid === undefined && verified === undefined)) return matching;

  // In the order of creation each state is a walk of its own that begins at the place: a page takes no more of it.
  const walksArePages = sortColumns[order.sort] === null && filter.q === undefined;
  const [beyond, direction] = directions[order.order];
  const place = walksArePages && after !== undefined ? sql`AND id ${beyond} ${after.id}` : empty;
  const most = walksArePages ? limit : fewCandidates + 1;
  const walks = statesOf(filter).map(
    (state) => sql`
      SELECT * FROM (SELECT number FROM members
        WHERE site_id = ${siteId} AND status = ${state.status}
          AND paid IS ${state.paid} AND verified IS ${state.verified}
          ${place} ORDER BY id ${direction} LIMIT ${most})`,
  );
  const numbers = (await db.all<{ number: number }>(join(walks, ' UNION ALL '))).map(({ number }) => number);
  return walksArePages || numbers.length <= fewCandidates ? numbers : undefined;
}

/** Every combination of values that a filter allows. */
function statesOf(filter: MemberFilter) {
  const values = <T>(chosen: T | undefined, all: readonly T[]) => (chosen === undefined ? all : [chosen]);
  return values(filter.status, ['active', 'blocked']).flatMap((status) =>
    values<boolean | null>(filter.paid, [false, true, null]).flatMap((paid) =>
      values<boolean | null>(filter.verified, [false, true, null]).map((verified) => ({
        status,
        paid,
        verified,
      })),
    ),
  );
}
