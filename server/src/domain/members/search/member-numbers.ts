import sql, { raw, type Sql } from 'sql-template-tag';
import { foldCase } from '../../../base/text/text.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { candidateKeys } from '../../../storage/sql/text-search.ts';
import { directions, type MemberOrder } from './member-order.ts';

// SQLite only: members have numbers, which are the keys of the text index. They grow with each creation.

type Direction = MemberOrder['order'];

/** Whether the order of the numbers is the order of creation. It is not if the clock was set back between two starts. */
export async function hasNumbersInOrder({ db, siteId }: SiteData): Promise<boolean> {
  const site = await db.get<{ inOrder: number }>(
    sql`SELECT member_numbers_in_order AS "inOrder" FROM sites WHERE id = ${siteId}`,
  );
  return site?.inOrder === 1;
}

/** The number of the first member after a position in the order of creation. Undefined when there is none. */
export async function firstNumberAfter(
  { db, siteId }: SiteData,
  direction: Direction,
  afterId: string,
): Promise<number | undefined> {
  const [beyond, by] = directions[direction];
  const row = await db.get<{ number: number }>(
    sql`SELECT number FROM members WHERE site_id = ${siteId} AND id ${beyond} ${afterId} ORDER BY id ${by} LIMIT 1`,
  );
  return row?.number;
}

/**
 * The numbers of members whose text may contain `q`, in the order of creation, beginning with the number `from`. None if the
 * order of the numbers is another one.
 */
export async function candidatesFrom(
  { db, siteId }: SiteData,
  q: string,
  direction: Direction,
  from: number | undefined,
  maximum: number,
): Promise<number[]> {
  const range = { direction, from, maximum, siteCondition: raw('member_numbers_in_order = 1') };
  return candidateKeys(db, 'members_text', siteId, foldCase(q), range);
}

/** The id of the member with a number, or of the one before it in the order of creation if it was deleted. */
export async function idNear(
  { db, siteId }: SiteData,
  direction: Direction,
  number: number,
): Promise<string | undefined> {
  const [comparison, by]: readonly [Sql, Sql] =
    direction === 'asc' ? [raw('<='), raw('DESC')] : [raw('>='), raw('ASC')];
  const row = await db.get<{ id: string }>(
    sql`SELECT id FROM members NOT INDEXED
      WHERE number ${comparison} ${number} AND site_id = ${siteId} ORDER BY number ${by} LIMIT 1`,
  );
  return row?.id;
}
