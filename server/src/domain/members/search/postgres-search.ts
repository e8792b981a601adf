import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../../../base/text/text.ts';
import type { Queries } from '../../../storage/database.ts';
import { limitInOrder } from '../../../storage/sql/row-limit.ts';
import { asSearch } from '../../../storage/sql/statement.ts';
import { contains } from '../../../storage/sql/text-search.ts';
import type { MemberRow } from '../member.ts';
import { memberColumns } from '../member-store.ts';
import { conditions, hasState, partsOf, statesOf } from './member-filter.ts';
import {
  type CursorPosition,
  directions,
  type FoundMembers,
  isOrderOfCreation,
  keyColumn,
  type ListRequest,
  type MemberOrder,
  type OrderRange,
  rangesOf,
  wholeOrder,
} from './member-order.ts';
import { selectIsRare } from './member-sample.ts';
import { MemberScan, type RangesAfter, type ReadStep } from './member-scan.ts';
import { hasMembershipFilter, selectMemberships } from './membership-filter.ts';
import type { SearchLimits } from './search-limits.ts';

// Every statement reads a bounded number of members, whatever the planner expects: a subquery that it cannot merge with
// the rest reads one index.

/**
 * All matches are fetched and sorted if an index can find them and they are few. Otherwise the members of the order are
 * examined, until enough of them match or too many have been examined.
 */
export async function searchOnPostgres(
  db: Queries,
  request: ListRequest,
  limits: SearchLimits,
): Promise<FoundMembers> {
  const { filter, order } = request;
  if (isOrderOfCreation(order)) {
    const parts = partsOf(filter).join();
    if (parts === 'request') return { rows: await readByRequest(db, request) };
    if (parts === 'state') return { rows: await readByState(db, request) };
  }
  const ofRequest = await fetchByRequest(db, request, limits);
  if (ofRequest) return { rows: ofRequest };
  const withMembership = await fetchByMembership(db, request, limits);
  if (withMembership) return { rows: withMembership };
  const withText = await fetchByText(db, request, limits);
  if (withText) return { rows: withText };
  const scan = new MemberScan(request, limits, rangesOfSearch(request), stepReader(db, request));
  await scan.examine(limits.firstScan);
  if (!scan.isFinished) {
    const withState = await fetchByState(db, request, limits);
    if (withState) return { rows: withState };
    await scan.examine(limits.maxScan - limits.firstScan);
  }
  const rows = scan.matches.map(toRow);
  return scan.isFinished ? { rows } : { rows, examinedTo: scan.examinedTo };
}

/** In the order of creation the members of a request are read from their index, no further than the page. */
function readByRequest(db: Queries, request: ListRequest): Promise<MemberRow[]> {
  const { siteId, filter, order, after, limit } = request;
  const { condition, orderBy } = rangeOfRequest(filter.createdByRequest!, order.order, after);
  return db.all<MemberRow>(
    asSearch(sql`
      SELECT ${memberColumns} FROM members WHERE site_id = ${siteId} AND ${condition} ${orderBy}
      ${limitInOrder(db.dialect, limit)}`),
  );
}

/** In the order of creation each state is read from its own index, no further than the page. */
function readByState(db: Queries, request: ListRequest): Promise<MemberRow[]> {
  const { order, after, limit } = request;
  const [beyond, direction] = directions[order.order];
  const place = after ? sql`AND id ${beyond} ${after.id}` : empty;
  const found = eachState(db, request, place, direction, limit);
  return db.all<MemberRow>(
    asSearch(sql`
      SELECT ${memberColumns} FROM (${found}) AS found ORDER BY id ${direction} LIMIT ${limit}`),
  );
}

/** In the order of creation only the members of the request in the filter are examined, or else those of the group. */
function rangesOfSearch({ filter, order }: ListRequest): RangesAfter {
  const { createdByRequest, groupId } = filter;
  if (!isOrderOfCreation(order)) return (after) => rangesOf(order, after);
  if (createdByRequest !== undefined)
    return (after) => [rangeOfRequest(createdByRequest, order.order, after)];
  if (groupId !== undefined) return (after) => [rangeOfGroup(groupId, order.order, after)];
  return (after) => rangesOf(order, after);
}

/** The members of a request, in the order of creation. */
function rangeOfRequest(
  createdByRequest: string,
  order: MemberOrder['order'],
  after: CursorPosition | undefined,
): OrderRange {
  return rangeOfIndex(['created_by_request', 'id'], createdByRequest, order, after);
}

/** The memberships of a group, in the order of creation of the members. */
function rangeOfGroup(
  groupId: string,
  order: MemberOrder['order'],
  after: CursorPosition | undefined,
): OrderRange {
  return rangeOfIndex(['group_id', 'member_id'], groupId, order, after);
}

/**
 * The part of an index with a value in its first column. This column is the first of the order, and no equality, so that
 * PostgreSQL knows only one index with this order: with another one it could pass all members of the site.
 */
function rangeOfIndex(
  columns: readonly [string, string],
  value: string,
  order: MemberOrder['order'],
  after: CursorPosition | undefined,
): OrderRange {
  const [beyond, direction] = directions[order];
  const [first, last] = order === 'asc' ? [raw('>='), raw('<=')] : [raw('<='), raw('>=')];
  const [column, id] = columns.map(raw) as [Sql, Sql];
  const begin = after
    ? sql`(${column}, ${id}) ${beyond} (${value}, ${after.id})`
    : sql`${column} ${first} ${value}`;
  return {
    condition: sql`${begin} AND ${column} ${last} ${value}`,
    orderBy: sql`ORDER BY ${column} ${direction}, ${id} ${direction}`,
  };
}

type Match = MemberRow & CursorPosition & { readonly isMatch: boolean };

/** The row becomes the member of the response. */
function toRow({ key: _, isMatch: __, ...row }: Match): MemberRow {
  return row;
}

/**
 * Reads a step in one statement, so that no change comes between its matches and its end. It stops when it has found
 * enough.
 */
function stepReader(db: Queries, request: ListRequest): ReadStep<Match> {
  const { siteId, now, filter, order } = request;
  const columns = sql`${memberColumns}, ${keyColumn(order)} AS key`;
  const [, direction] = directions[order.order];
  return async (range, size, wanted) => {
    const rows = await db.all<Match>(
      asSearch(sql`
        WITH step AS MATERIALIZED ${selectStep(db, request, range, size)}, matching AS MATERIALIZED (
          SELECT * FROM step WHERE ${conditions({ db, siteId, now }, filter)} LIMIT ${wanted}
        )
        SELECT ${columns}, TRUE AS "isMatch" FROM matching
        UNION ALL (
          SELECT ${columns}, FALSE FROM step
          WHERE (SELECT count(*) FROM matching) < ${wanted} OFFSET ${size - 1}
        )
        ORDER BY "isMatch" DESC, key ${direction}, id ${direction}`),
    );
    const end = rows.at(-1);
    const last = end && !end.isMatch ? end : undefined;
    return { matches: last ? rows.slice(0, -1) : rows, last };
  };
}

/** The next members of a range of `rangesOfSearch`, in the order. */
function selectStep(
  db: Queries,
  { siteId, filter: { groupId, createdByRequest }, order }: ListRequest,
  { condition, orderBy }: OrderRange,
  size: number,
): Sql {
  const range = sql`WHERE site_id = ${siteId} AND ${condition} ${orderBy} ${limitInOrder(db.dialect, size)}`;
  const isOfGroup = isOrderOfCreation(order) && createdByRequest === undefined && groupId !== undefined;
  return isOfGroup
    ? selectMembersOf(siteId, sql`(SELECT member_id FROM memberships ${range})`)
    : sql`(SELECT * FROM members ${range})`;
}

/** The members of memberships, which are looked up one by one, however many PostgreSQL expects. */
function selectMembersOf(siteId: string, memberships: Sql): Sql {
  return sql`(
    SELECT m.* FROM ${memberships} AS ms
    CROSS JOIN LATERAL (SELECT * FROM members WHERE site_id = ${siteId} AND id = ms.member_id LIMIT 1) AS m)`;
}

/** Undefined without a membership in the filter, and if many memberships may be wanted. */
async function fetchByMembership(
  db: Queries,
  request: ListRequest,
  { maxSorted }: SearchLimits,
): Promise<MemberRow[] | undefined> {
  const { siteId, now, filter } = request;
  if (!hasMembershipFilter(filter)) return undefined;
  // They are counted before their members are read.
  const each = sql`(SELECT DISTINCT member_id FROM wanted WHERE (SELECT is_few FROM number))`;
  return fetchFew(
    db,
    request,
    sql`
      WITH wanted AS MATERIALIZED ${selectMemberships({ db, siteId, now }, filter, maxSorted + 1)},
      number AS MATERIALIZED (SELECT count(*) <= ${maxSorted} AS is_few FROM wanted),
      found AS MATERIALIZED ${selectMembersOf(siteId, each)}`,
  );
}

/** Undefined without a request, and if it created many members. */
async function fetchByRequest(
  db: Queries,
  request: ListRequest,
  { maxSortedLate }: SearchLimits,
): Promise<MemberRow[] | undefined> {
  const { siteId, filter } = request;
  const { createdByRequest } = filter;
  if (createdByRequest === undefined) return undefined;
  const { condition, orderBy } = rangeOfRequest(createdByRequest, 'asc', undefined);
  // They are counted first, which reads the index alone.
  return fetchFew(
    db,
    request,
    sql`
      WITH number AS MATERIALIZED (
        SELECT count(*) <= ${maxSortedLate} AS is_few FROM (
          SELECT 1 FROM members WHERE site_id = ${siteId} AND ${condition} ${orderBy}
          ${limitInOrder(db.dialect, maxSortedLate + 1)}
        ) AS counted
      ), found AS MATERIALIZED (
        SELECT * FROM members WHERE site_id = ${siteId} AND (SELECT is_few FROM number) AND ${condition}
        ${orderBy} ${limitInOrder(db.dialect, maxSortedLate + 1)}
      )`,
  );
}

/** Undefined without a text, and if many members have it. */
async function fetchByText(
  db: Queries,
  request: ListRequest,
  limits: SearchLimits,
): Promise<MemberRow[] | undefined> {
  const { siteId, filter } = request;
  if (filter.q === undefined) return undefined;
  const text = foldCase(filter.q);
  const isFew = selectIsRare(siteId, text, limits);
  if (isFew === undefined) return undefined;
  // Only if the matches are few, which is decided first, are they read.
  return fetchFew(
    db,
    request,
    sql`
      WITH number AS MATERIALIZED (${isFew}), found AS MATERIALIZED (
        SELECT * FROM members WHERE site_id = ${siteId} AND (SELECT is_few FROM number)
          AND ${contains(db.dialect, raw('search_text'), text)}
      )`,
  );
}

/** Undefined without a state, and if many members have it. */
async function fetchByState(
  db: Queries,
  request: ListRequest,
  { maxSorted }: SearchLimits,
): Promise<MemberRow[] | undefined> {
  if (!hasState(request.filter)) return undefined;
  return fetchFew(
    db,
    request,
    sql`
      WITH found AS MATERIALIZED (
        SELECT * FROM (${eachState(db, request, empty, raw('ASC'), maxSorted + 1)}) AS each_state LIMIT ${maxSorted + 1}
      ), number AS MATERIALIZED (
        SELECT count(*) <= ${maxSorted} AS is_few FROM found
      )`,
  );
}

/**
 * The page of those that match among the members that were found, if they are few.
 * @param found defines `found`, and `number` with `is_few`
 */
async function fetchFew(
  db: Queries,
  { siteId, now, filter, order, after, limit }: ListRequest,
  found: Sql,
): Promise<MemberRow[] | undefined> {
  const { condition, orderBy } = wholeOrder(order, after);
  const rows = await db.all<MemberRow & { isFew: boolean; id: string | null }>(
    asSearch(sql`
      ${found}
      SELECT ${memberColumns}, is_few AS "isFew" FROM number LEFT JOIN (
        SELECT * FROM found WHERE ${conditions({ db, siteId, now }, filter)} AND ${condition} ${orderBy} LIMIT ${limit}
      ) AS page ON is_few ${orderBy}`),
  );
  if (!rows[0]!.isFew) return undefined;
  // The row becomes the member of the response.
  return rows.filter(({ id }) => id !== null).map(({ isFew: _, ...member }) => member);
}

/** The first members with each combination of states that a filter allows, in the order of creation. */
function eachState(
  db: Queries,
  { siteId, filter }: ListRequest,
  place: Sql,
  direction: Sql,
  limit: number,
): Sql {
  const literal = (value: boolean | null) => raw(String(value).toUpperCase());
  // The planner does not know that a column that IS NULL does not matter for the order of the index.
  const selects = statesOf(filter).map(
    ({ status, paid, verified }) => sql`
      (SELECT * FROM members WHERE site_id = ${siteId} AND status = ${status}
        AND paid IS ${literal(paid)} AND verified IS ${literal(verified)} ${place}
        ORDER BY paid ${direction}, verified ${direction}, id ${direction}
        ${limitInOrder(db.dialect, limit)})`,
  );
  return join(selects, ' UNION ALL ');
}
