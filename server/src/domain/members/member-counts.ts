import type { Overview } from '@gatehouse/contract';
import { exactlyCountedMembers, memberCountMaxAgeSeconds } from '@gatehouse/contract/limits';
import sql from 'sql-template-tag';
import { firstIdAt } from '../../base/ids.ts';
import { countEach, type TimeSpan } from '../../storage/counts.ts';
import { type Queries, toBoolean } from '../../storage/database.ts';
import { asSearch } from '../../storage/statement.ts';
import { findFeedPosition } from '../events/events.ts';

const maxCountedSites = 1_000;

interface KnownCounts {
  /** In the feed, before the members were counted. */
  readonly position: number;
  /** In milliseconds of the clock. */
  readonly at: number;
  readonly counts: Overview['members'];
}

/**
 * The numbers of members of sites. They are counted again only after a change of the site, which its feed records. To
 * count a large site takes up to a second of CPU time, so there they may be 10 seconds old.
 */
export class MemberCounts {
  readonly #now: () => number;
  readonly #maxExactMembers: number;
  readonly #known = new Map<string, KnownCounts>();

  /** @param now a clock in milliseconds that is never set back */
  constructor(now = () => performance.now(), maxExactMembers: number = exactlyCountedMembers) {
    this.#now = now;
    this.#maxExactMembers = maxExactMembers;
  }

  async of(db: Queries, siteId: string): Promise<Overview['members']> {
    // Read first: a change that comes between is counted again, and none is missed.
    const position = await findFeedPosition(db, siteId);
    const at = this.#now();
    const known = this.#known.get(siteId);
    if (known !== undefined && (known.position === position || this.#isRecent(known, at)))
      return known.counts;
    const counts = await countMembers(db, siteId);
    this.#known.delete(siteId);
    if (this.#known.size >= maxCountedSites) this.#known.delete(this.#known.keys().next().value!);
    if (position !== undefined) this.#known.set(siteId, { position, at, counts });
    return counts;
  }

  /** Whether the numbers of a large site are recent enough. */
  #isRecent({ counts, at }: KnownCounts, now: number): boolean {
    return counts.total > this.#maxExactMembers && now - at < memberCountMaxAgeSeconds * 1_000;
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
