import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../base/text.ts';
import type { Queries } from '../storage/database.ts';
import { contains, matchingKeys } from '../storage/text-search.ts';

export interface MemberFilter {
  readonly email?: string;
  readonly status?: string;
  readonly paid?: boolean;
  readonly verified?: boolean;
  readonly q?: string;
}

/** What a member has to be to pass a filter. */
export function conditions(
  db: Queries,
  siteId: string,
  { email, status, paid, verified, q }: MemberFilter,
): Sql {
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

// On SQLite: the row numbers of the members that can pass a filter. Where they are few it is better to fetch them than
// to walk along an order, which could pass by a million others to find them. PostgreSQL chooses by itself.

const few = 1_000;
const every = Number.MAX_SAFE_INTEGER - 1;

/** Whether members that pass could be few; one address has an index of its own. */
export function needsCandidates(db: Queries, { email, q, ...state }: MemberFilter): boolean {
  return db.dialect === 'sqlite' && email === undefined && (q !== undefined || hasState(state));
}

/** Undefined where they are many. */
export async function fewCandidates(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
): Promise<number[] | undefined> {
  const { q } = filter;
  const matching =
    q === undefined ? undefined : await matchingKeys(db, 'members_text', siteId, foldCase(q), few);
  if (matching || !hasState(filter)) return matching;
  const numbers = await numbersByState(db, siteId, filter, empty, few + 1);
  return numbers.length <= few ? numbers : undefined;
}

/** All of them, however many; undefined where no index can tell. */
export async function allCandidates(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
): Promise<number[] | undefined> {
  const { q } = filter;
  return q === undefined
    ? numbersByState(db, siteId, filter, empty, every)
    : matchingKeys(db, 'members_text', siteId, foldCase(q), every);
}

/** In the order of creation each state is a walk of its own that begins at the place: a page takes no more of it. */
export function candidatesOfPage(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
  [beyond, direction]: readonly [Sql, Sql],
  afterId: string | undefined,
  limit: number,
): Promise<number[]> {
  const place = afterId === undefined ? empty : sql`AND id ${beyond} ${afterId}`;
  return numbersByState(db, siteId, filter, sql`${place} ORDER BY id ${direction}`, limit);
}

async function numbersByState(
  db: Queries,
  siteId: string,
  filter: MemberFilter,
  stretch: Sql,
  most: number,
): Promise<number[]> {
  const walks = statesOf(filter).map(
    ({ status, paid, verified }) => sql`
      SELECT * FROM (SELECT number FROM members
        WHERE site_id = ${siteId} AND status = ${status} AND paid IS ${paid} AND verified IS ${verified}
        ${stretch} LIMIT ${most})`,
  );
  return (await db.all<{ number: number }>(join(walks, ' UNION ALL '))).map(({ number }) => number);
}

function hasState({ status, paid, verified }: MemberFilter): boolean {
  return status !== undefined || paid !== undefined || verified !== undefined;
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
