import sql, { raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../../base/text.ts';
import type { Queries } from '../../storage/database.ts';
import { isIndexed } from '../../storage/text-search.ts';
import type { MemberRow } from './member.ts';
import { candidatesOfPage, candidatesWithin, conditions, needsCandidates } from './member-filter.ts';
import { firstNumberAfter, hasNumbersInOrder, idNear, matchesFrom } from './member-numbers.ts';
import { directions, isOrderOfCreation, type ListRequest, stretchesOf } from './member-order.ts';
import { memberColumns } from './member-store.ts';
import { MemberWalk } from './member-walk.ts';

export interface FoundMembers {
  readonly rows: MemberRow[];
  /**
   * The last member that was examined, if the search ended before it found enough and before the end of the list. Later
   * members may match.
   */
  readonly examinedTo?: string | undefined;
}

/**
 * The limits of a search on SQLite, in members. With them a request takes at most about 50 ms on a site of a million.
 */
const limits = {
  /** So many matches are fetched and sorted at once. */
  few: 1_000,
  /** So many are fetched and sorted when there are not enough among the first members of the order. */
  many: 4_000,
  /** So many members are examined one after the other, at first and in all. */
  firstWalk: 2_000,
  walk: 8_000,
} as const;

/** The members that match a filter, in an order, after a position. */
export async function selectMembers(db: Queries, request: ListRequest): Promise<FoundMembers> {
  const { filter, order } = request;
  if (!needsCandidates(db, filter)) return { rows: await readInOrder(db, request) };
  if (!isOrderOfCreation(order)) return search(db, request);
  if (filter.q === undefined) return { rows: await readByState(db, request) };
  return isIndexed(foldCase(filter.q)) ? stream(db, request) : search(db, request);
}

/** Reads an index in the order until the page is full. */
function readInOrder(db: Queries, request: ListRequest): Promise<MemberRow[]> {
  return selectRows(db, request, raw('members'), conditionsOf(db, request));
}

/** In the order of creation each state is read from its own index, no further than the page. */
async function readByState(db: Queries, request: ListRequest): Promise<MemberRow[]> {
  const { siteId, filter, order, after, limit } = request;
  const candidates = await candidatesOfPage(db, siteId, filter, directions[order.order], after?.id, limit);
  const rows = await selectNumbered(db, request, candidates);
  // A member was deleted or changed in between: the short page would look like the end of the list.
  return rows.length < limit && candidates.length >= limit ? readInOrder(db, request) : rows;
}

/** In the order of creation, which is that of the text index, matches are read until the page is full. */
async function stream(db: Queries, request: ListRequest): Promise<FoundMembers> {
  const { siteId, filter, order, after, limit } = request;
  const rows: MemberRow[] = [];
  let from = after && (await firstNumberAfter(db, siteId, order.order, after.id));
  if (after && from === undefined) return { rows };
  for (let size = limit, examined = 0; ; size *= 4) {
    const numbers = await matchesFrom(db, siteId, filter.q!, order.order, from, size);
    if (numbers.length === 0 && !(await hasNumbersInOrder(db, siteId))) {
      return search(db, request);
    }
    rows.push(...(await selectNumbered(db, request, numbers)).slice(0, limit - rows.length));
    if (rows.length === limit || numbers.length < size) return { rows };
    examined += size;
    const last = numbers.at(-1)!;
    if (examined >= limits.many) {
      const examinedTo = (await idNear(db, siteId, order.order, last)) ?? after?.id;
      // Undefined if every examined member was deleted in the meantime.
      if (examinedTo !== undefined) return { rows, examinedTo };
    }
    from = order.order === 'asc' ? last + 1 : last - 1;
  }
}

/** In other orders the matches are fetched and sorted if they are few; otherwise members are examined in the order. */
async function search(db: Queries, request: ListRequest): Promise<FoundMembers> {
  const { siteId, filter } = request;
  const few = await candidatesWithin(db, siteId, filter, limits.few);
  if (few) return { rows: await selectNumbered(db, request, few) };
  const walk = new MemberWalk(db, request, conditionsOf(db, request));
  await walk.examine(limits.firstWalk);
  if (!walk.isFinished) {
    const many = await candidatesWithin(db, siteId, filter, limits.many);
    if (many) return { rows: await selectNumbered(db, request, many) };
    await walk.examine(limits.walk - limits.firstWalk);
  }
  const rows = await selectNumbered(db, request, walk.matches);
  // A match was deleted or changed in between: the short page would look like the end of the list.
  if (rows.length < walk.matches.length) return search(db, request);
  return walk.isFinished ? { rows } : { rows, examinedTo: walk.examinedTo };
}

/** Those of the members with these numbers that match, in the order. Without `NOT INDEXED` SQLite may scan an index. */
function selectNumbered(db: Queries, request: ListRequest, numbers: readonly number[]): Promise<MemberRow[]> {
  const listed = sql`number IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
  const where = sql`${conditionsOf(db, request)} AND ${listed}`;
  return selectRows(db, request, raw('members NOT INDEXED'), where);
}

function conditionsOf(db: Queries, { siteId, filter }: ListRequest): Sql {
  return conditions(db, siteId, filter);
}

async function selectRows(
  db: Queries,
  { order, after, limit }: ListRequest,
  from: Sql,
  where: Sql,
): Promise<MemberRow[]> {
  const rows: MemberRow[] = [];
  for (const { condition, orderBy } of stretchesOf(order, after)) {
    if (rows.length === limit) break;
    rows.push(
      ...(await db.all<MemberRow>(sql`
        SELECT ${memberColumns} FROM ${from} WHERE ${where} AND ${condition} ${orderBy} LIMIT ${limit - rows.length}`)),
    );
  }
  return rows;
}
