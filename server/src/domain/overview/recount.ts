import type { SiteView } from '../../storage/site-view.ts';
import { countedSince, type MemberCounts, noMembers } from '../events/site-counts.ts';
import { compareCounts } from './recount-store.ts';

/** What is wrong with the numbers of a site, in words. */
export async function findWrongNumbers(view: SiteView): Promise<string[]> {
  const { stored, present, missing } = await compareCounts(view, countedSince(view.now));
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
