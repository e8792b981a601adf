import type { Timestamp } from '../../base/clock.ts';
import type { Queries } from '../../storage/database.ts';
import type { SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { countedSince, type MemberCounts, noMembers } from '../events/site-counts.ts';
import { addActivity, correctCounts, selectUncountedSites } from '../events/stored-counts.ts';
import { compareCounts } from './recount-store.ts';

/** A few sites whose numbers lack the events of an earlier version, over all sites. */
export function findUncountedSites(
  db: Queries,
  _now: Timestamp,
  limit: number,
): Promise<{ siteId: string }[]> {
  return selectUncountedSites(db, limit);
}

/** Adds what is missing from the numbers of a site. Others change them meanwhile. */
export async function recountSite(change: Change): Promise<void> {
  const { uncounted, stored, present, missing } = await compareCounts(change, countedSince(change.now));
  const differences: MemberCounts = {
    members: present.members - stored.members,
    blocked: present.blocked - stored.blocked,
    paid: present.paid - stored.paid,
    verified: present.verified - stored.verified,
  };
  if (await correctCounts(change, uncounted, differences)) await addActivity(change, missing);
}

/** What is wrong with the numbers of a site, in words. Nothing, while some of its events are not counted yet. */
export async function findWrongNumbers(view: SiteView): Promise<string[]> {
  const { uncounted, stored, present, missing } = await compareCounts(view, countedSince(view.now));
  if (uncounted !== 0) return [];
  const names = Object.keys(noMembers) as (keyof MemberCounts)[];
  return [
    ...names
      .filter((name) => stored[name] !== present[name])
      .map((name) => `"${name}" counts ${stored[name]} and there are ${present[name]}`),
    ...missing.map(
      ({ startsAt, created, logins }) =>
        `from ${startsAt}, ${created} new members and ${logins} logins are missing`,
    ),
  ];
}
