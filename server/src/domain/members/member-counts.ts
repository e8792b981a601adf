import type { Overview } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { firstIdAt } from '../../base/ids.ts';
import { countEach, type TimeSpan } from '../../storage/counts.ts';
import { type Queries, toBoolean } from '../../storage/database.ts';
import { asSearch } from '../../storage/statement.ts';
import { findFeedPosition } from '../events/events.ts';

const maxCountedSites = 1_000;

/** The numbers of members of sites. They are counted again only after a change of the site, which its feed records. */
export class MemberCounts {
  readonly #known = new Map<string, { readonly position: number; readonly counts: Overview['members'] }>();

  async of(db: Queries, siteId: string): Promise<Overview['members']> {
    // Read first: a change that comes between is counted again, and none is missed.
    const position = await findFeedPosition(db, siteId);
    const known = this.#known.get(siteId);
    if (known !== undefined && known.position === position) return known.counts;
    const counts = await countMembers(db, siteId);
    this.#known.delete(siteId);
    if (this.#known.size >= maxCountedSites) this.#known.delete(this.#known.keys().next().value!);
    if (position !== undefined) this.#known.set(siteId, { position, counts });
    return counts;
  }
}

/** Counts all members of a site, in one scan of the index of their states. */
async function countMembers(db: Queries, siteId: string): Promise<Overview['members']> {
  const rows = await db.all<{
    status: string;
    paid: boolean | number | null;
    verified: boolean | number | null;
    count: number;
  }>(
    asSearch(sql`
      SELECT status, paid, verified, count(*) AS count FROM members WHERE site_id = ${siteId}
      GROUP BY status, paid, verified`),
  );
  const counts = { total: 0, active: 0, blocked: 0, paid: 0, verified: 0 };
  for (const { status, paid, verified, count } of rows) {
    counts.total += count;
    counts[status === 'blocked' ? 'blocked' : 'active'] += count;
    if (paid !== null && toBoolean(paid)) counts.paid += count;
    if (verified !== null && toBoolean(verified)) counts.verified += count;
  }
  return counts;
}

/** Counts the members created in each time span, by their ids. */
export function countCreatedMembers(
  db: Queries,
  siteId: string,
  spans: readonly TimeSpan[],
): Promise<number[]> {
  return countEach(
    db,
    spans.map(
      ({ start, end }) => sql`
        SELECT count(*) FROM members
        WHERE site_id = ${siteId} AND id >= ${firstIdAt(start)} AND id < ${firstIdAt(end)}`,
    ),
  );
}

export async function hasLoggedInMember(db: Queries, siteId: string): Promise<boolean> {
  const row = await db.get(sql`
    SELECT 1 AS one FROM members
    WHERE site_id = ${siteId} AND last_login_at > ${'1970-01-01T00:00:00.000Z'} LIMIT 1`);
  return row !== undefined;
}
