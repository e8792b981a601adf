import sql, { raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../../../base/text/text.ts';
import type { Queries } from '../../../storage/database.ts';
import { limitInOrder } from '../../../storage/sql/row-limit.ts';
import { isIndexed } from '../../../storage/sql/text-search.ts';
import type { MemberRow } from '../member.ts';
import { memberColumns } from '../member-store.ts';
import { candidatesOfPage, candidatesWithin, conditions, partsOf } from './member-filter.ts';
import { candidatesFrom, firstNumberAfter, hasNumbersInOrder, idNear } from './member-numbers.ts';
import {
  directions,
  type FoundMembers,
  isOrderOfCreation,
  type ListRequest,
  rangesOf,
} from './member-order.ts';
import { searchOnPostgres } from './postgres-search.ts';
import { type SearchLimits, searchLimits } from './search-limits.ts';
import { scanOnSqlite } from './sqlite-scan.ts';

/** The members that match a filter, in an order, after a position. */
export async function selectMembers(
  db: Queries,
  request: ListRequest,
  limits: SearchLimits = searchLimits[db.dialect],
): Promise<FoundMembers> {
  const { filter, order } = request;
  const parts = partsOf(filter);
  if (parts.length === 0) return { rows: await readInOrder(db, request) };
  if (db.dialect === 'postgres') return searchOnPostgres(db, request, limits);
  if (!isOrderOfCreation(order)) return search(db, request, limits);
  // An index has the members of each request in the order of creation.
  if (parts.join() === 'request') return { rows: await readInOrder(db, request) };
  if (parts.join() === 'state') return { rows: await readByState(db, request) };
  const hasOther = parts.includes('request') || parts.includes('membership');
  return hasOther || !isIndexed(foldCase(filter.q!))
    ? search(db, request, limits)
    : stream(db, request, limits);
}

/** Reads an index in the order until the page is full. */
function readInOrder(db: Queries, request: ListRequest): Promise<MemberRow[]> {
  return selectRows(db, request, raw('members'), conditionsOf(db, request));
}

/** In the order of creation each state is read from its own index, no further than the page. */
async function readByState(db: Queries, request: ListRequest): Promise<MemberRow[]> {
  const { siteId, filter, order, after, limit } = request;
  const candidates = await candidatesOfPage(
    { db, siteId },
    filter,
    directions[order.order],
    after?.id,
    limit,
  );
  const rows = await selectNumbered(db, request, candidates);
  // A member was deleted or changed in between: the short page would look like the end of the list.
  return rows.length < limit && candidates.length >= limit ? readInOrder(db, request) : rows;
}

/** In the order of creation, which is that of the text index, matches are read until the page is full. */
async function stream(db: Queries, request: ListRequest, limits: SearchLimits): Promise<FoundMembers> {
  const { siteId, filter, order, after, limit } = request;
  const rows: MemberRow[] = [];
  let from = after && (await firstNumberAfter({ db, siteId }, order.order, after.id));
  if (after && from === undefined) return { rows };
  for (let size = limit, examined = 0; ; size *= 4) {
    const numbers = await candidatesFrom({ db, siteId }, filter.q!, order.order, from, size);
    if (numbers.length === 0 && !(await hasNumbersInOrder({ db, siteId }))) {
      return search(db, request, limits);
    }
    rows.push(...(await selectNumbered(db, request, numbers)).slice(0, limit - rows.length));
    if (rows.length === limit || numbers.length < size) return { rows };
    examined += size;
    const last = numbers.at(-1)!;
    if (examined >= limits.maxSortedLate) {
      const examinedTo = (await idNear({ db, siteId }, order.order, last)) ?? after?.id;
      // Undefined if every examined member was deleted in the meantime.
      if (examinedTo !== undefined) return { rows, examinedTo };
    }
    from = order.order === 'asc' ? last + 1 : last - 1;
  }
}

/** In other orders the matches are fetched and sorted if they are few; otherwise members are examined in the order. */
async function search(db: Queries, request: ListRequest, limits: SearchLimits): Promise<FoundMembers> {
  const { siteId, now, filter } = request;
  const sortable = await candidatesWithin({ db, siteId, now }, filter, limits.maxSorted);
  if (sortable) return { rows: await selectNumbered(db, request, sortable) };
  const scan = scanOnSqlite(db, request, limits);
  await scan.examine(limits.firstScan);
  if (!scan.isFinished) {
    const sortableLate = await candidatesWithin({ db, siteId, now }, filter, limits.maxSortedLate);
    if (sortableLate) return { rows: await selectNumbered(db, request, sortableLate) };
    await scan.examine(limits.maxScan - limits.firstScan);
  }
  const numbers = scan.matches.map(({ number }) => number);
  const rows = await selectNumbered(db, request, numbers);
  // A match was deleted or changed in between: the short page would look like the end of the list.
  if (rows.length < numbers.length) return search(db, request, limits);
  return scan.isFinished ? { rows } : { rows, examinedTo: scan.examinedTo };
}

/** Those of the members with these numbers that match, in the order. Without `NOT INDEXED` SQLite may scan an index. */
function selectNumbered(db: Queries, request: ListRequest, numbers: readonly number[]): Promise<MemberRow[]> {
  const listed = sql`number IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
  const where = sql`${conditionsOf(db, request)} AND ${listed}`;
  return selectRows(db, request, raw('members NOT INDEXED'), where);
}

function conditionsOf(db: Queries, { siteId, now, filter }: ListRequest): Sql {
  return conditions({ db, siteId, now }, filter);
}

async function selectRows(
  db: Queries,
  { order, after, limit }: ListRequest,
  from: Sql,
  where: Sql,
): Promise<MemberRow[]> {
  const rows: MemberRow[] = [];
  for (const { condition, orderBy } of rangesOf(order, after)) {
    if (rows.length === limit) break;
    rows.push(
      ...(await db.all<MemberRow>(sql`
        SELECT ${memberColumns} FROM ${from} WHERE ${where} AND ${condition} ${orderBy}
        ${limitInOrder(db.dialect, limit - rows.length)}`)),
    );
  }
  return rows;
}
