import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Queries } from '../../../storage/database.ts';
import { conditions } from './member-filter.ts';
import {
  type CursorPosition,
  isOrderOfCreation,
  keyColumn,
  type ListRequest,
  rangesOf,
  upTo,
} from './member-order.ts';
import { MemberScan, type RangesAfter, type ReadStep } from './member-scan.ts';
import type { SearchLimits } from './search-limits.ts';

/** SQLite only: examines members, and finds the numbers of those that match. */
export function scanOnSqlite(db: Queries, request: ListRequest, limits: SearchLimits): MemberScan<Match> {
  return new MemberScan(request, limits, rangesOfSearch(request), stepReader(db, request));
}

interface Match extends CursorPosition {
  readonly number: number;
}

/** In the order of creation only the members of the request in the filter are examined, which have an index. */
function rangesOfSearch({ filter: { createdByRequest }, order }: ListRequest): RangesAfter {
  if (createdByRequest === undefined || !isOrderOfCreation(order)) {
    return (after) => rangesOf(order, after);
  }
  return (after) =>
    rangesOf(order, after).map(({ condition, orderBy }) => ({
      condition: sql`created_by_request = ${createdByRequest} AND ${condition}`,
      orderBy,
    }));
}

/** In the order of creation only the members of the group in the filter are examined, unless a request is. */
function membersOfSearch({ siteId, filter: { groupId, createdByRequest }, order }: ListRequest): Sql {
  if (groupId === undefined || createdByRequest !== undefined || !isOrderOfCreation(order)) {
    return raw('members');
  }
  // A left join is left out of a statement that needs no column of it.
  return sql`(
    SELECT ms.site_id, ms.member_id AS id, ${columns} FROM memberships ms
    LEFT JOIN members m ON m.site_id = ${siteId} AND m.id = ms.member_id
    WHERE ms.site_id = ${siteId} AND ms.group_id = ${groupId}) AS members`;
}

/** What the statements below need, beside the ids of site and member. */
const columns = raw('m.number, m.email, m.status, m.paid, m.verified, m.search_text, m.created_by_request');

/** Reads the end of a step first, from the index alone, and then the matches up to there, which are in their order. */
function stepReader(db: Queries, request: ListRequest): ReadStep<Match> {
  const { siteId, now, filter, order } = request;
  const key = keyColumn(order);
  const members = membersOfSearch(request);
  return async ({ condition, orderBy }, size, wanted) => {
    const last = await db.get<CursorPosition>(sql`
      SELECT id, ${key} AS key FROM ${members}
      WHERE site_id = ${siteId} AND ${condition} ${orderBy} LIMIT 1 OFFSET ${size - 1}`);
    const end = last ? sql`AND ${upTo(order, last)}` : empty;
    // With IS TRUE no other index than that of the order can be used.
    const matches = await db.all<Match>(sql`
      SELECT id, ${key} AS key, number FROM ${members}
      WHERE site_id = ${siteId} AND ${condition} ${end} AND (${conditions({ db, siteId, now }, filter)}) IS TRUE
      ${orderBy} LIMIT ${wanted}`);
    return { matches, last };
  };
}
