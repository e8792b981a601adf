import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../../../base/text/text.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { allValues } from '../../../storage/sql/results.ts';
import { candidateKeys, contains, isIndexed } from '../../../storage/sql/text-search.ts';
import {
  hasMembership,
  hasMembershipFilter,
  type MembershipFilter,
  selectMemberships,
} from './membership-filter.ts';

export interface MemberFilter extends MembershipFilter {
  readonly email?: string;
  readonly status?: string;
  readonly paid?: boolean;
  readonly verified?: boolean;
  readonly q?: string;
  /** The id of the requests that created the members. */
  readonly createdByRequest?: string;
}

/** The SQL conditions of a filter. */
export function conditions(view: SiteView, filter: MemberFilter): Sql {
  const { db, siteId } = view;
  const { email, status, paid, verified, q, createdByRequest } = filter;
  return join(
    [
      sql`site_id = ${siteId}`,
      ...(email === undefined ? [] : [sql`email = ${email}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(paid === undefined ? [] : [sql`paid = ${paid}`]),
      ...(verified === undefined ? [] : [sql`verified = ${verified}`]),
      ...(createdByRequest === undefined ? [] : [sql`created_by_request = ${createdByRequest}`]),
      ...(hasMembershipFilter(filter) ? [hasMembership(view, filter)] : []),
      ...(q === undefined ? [] : [contains(db.dialect, raw('search_text'), foldCase(q))]),
    ],
    ' AND ',
  );
}

/** What can make matches few, so that a list in order could pass a million other members. */
export type FilterPart = 'membership' | 'request' | 'text' | 'state';

/** None with an email address: it has an index, and at most one member. */
export function partsOf(filter: MemberFilter): FilterPart[] {
  if (filter.email !== undefined) return [];
  const has: Record<FilterPart, boolean> = {
    membership: hasMembershipFilter(filter),
    request: filter.createdByRequest !== undefined,
    text: filter.q !== undefined,
    state: hasState(filter),
  };
  return (Object.keys(has) as FilterPart[]).filter((part) => has[part]);
}

// SQLite only: the row numbers of the members that may match a filter. When there are few, it is faster to fetch them
// than to scan an index in order.

/** Undefined when there are more than `maximum`, or when no index can find them. */
export async function candidatesWithin(
  view: SiteView,
  filter: MemberFilter,
  maximum: number,
): Promise<number[] | undefined> {
  const { db, siteId } = view;
  const within = (numbers: number[]) => (numbers.length > maximum ? undefined : numbers);
  const { createdByRequest } = filter;
  const created =
    createdByRequest === undefined
      ? undefined
      : within(await numbersByRequest(view, createdByRequest, maximum + 1));
  if (created) return created;
  const withMembership = hasMembershipFilter(filter)
    ? await numbersByMembership(view, filter, maximum)
    : undefined;
  if (withMembership) return withMembership;
  const text = filter.q === undefined ? undefined : foldCase(filter.q);
  const matching =
    text !== undefined && isIndexed(text)
      ? within(
          await candidateKeys(db, 'members_text', siteId, text, { direction: 'asc', maximum: maximum + 1 }),
        )
      : undefined;
  if (matching || !hasState(filter)) return matching;
  return within(await numbersByState(view, filter, empty, maximum + 1));
}

async function numbersByRequest(
  { db, siteId }: SiteData,
  createdByRequest: string,
  maximum: number,
): Promise<number[]> {
  const rows = await db.all<{ number: number }>(sql`
    SELECT number FROM members WHERE site_id = ${siteId} AND created_by_request = ${createdByRequest} LIMIT ${maximum}`);
  return rows.map(({ number }) => number);
}

/** Undefined when there are more than `maximum` memberships: they are counted before the members are read. */
async function numbersByMembership(
  view: SiteView,
  filter: MemberFilter,
  maximum: number,
): Promise<number[] | undefined> {
  const { db, siteId } = view;
  const memberIds = await allValues<string>(
    db,
    sql`SELECT member_id FROM ${selectMemberships(view, filter, maximum + 1)} AS wanted`,
  );
  if (memberIds.length > maximum) return undefined;
  return allValues(
    db,
    sql`SELECT number FROM members
      WHERE site_id = ${siteId} AND id IN (SELECT value FROM json_each(${JSON.stringify(memberIds)}))`,
  );
}

/**
 * In the order of creation, each state is a separate index scan that begins at the cursor, and a page reads no more of
 * it than its size.
 */
export function candidatesOfPage(
  view: SiteData,
  filter: MemberFilter,
  [beyond, direction]: readonly [Sql, Sql],
  afterId: string | undefined,
  limit: number,
): Promise<number[]> {
  const place = afterId === undefined ? empty : sql`AND id ${beyond} ${afterId}`;
  return numbersByState(view, filter, sql`${place} ORDER BY id ${direction}`, limit);
}

async function numbersByState(
  { db, siteId }: SiteData,
  filter: MemberFilter,
  range: Sql,
  maximum: number,
): Promise<number[]> {
  const scans = statesOf(filter).map(
    ({ status, paid, verified }) => sql`
      SELECT * FROM (SELECT number FROM members
        WHERE site_id = ${siteId} AND status = ${status} AND paid IS ${paid} AND verified IS ${verified}
        ${range} LIMIT ${maximum})`,
  );
  return (await db.all<{ number: number }>(join(scans, ' UNION ALL '))).map(({ number }) => number);
}

export function hasState({ status, paid, verified }: MemberFilter): boolean {
  return status !== undefined || paid !== undefined || verified !== undefined;
}

/** Every combination of values that a filter allows. */
export function statesOf(filter: MemberFilter) {
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
