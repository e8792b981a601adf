import type { Overview } from '@gatehouse/contract';
import { type Day, lastDays, startOfDayBefore } from '../../base/days.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { countedSince, type MemberCounts, noMembers, sumOfCounts } from '../events/site-counts.ts';
import { type ActivityOfSpan, sumActivity } from '../events/stored-counts.ts';

/** What happened on the days of an overview. */
export interface ActivityOfDays {
  readonly days: readonly Day[];
  /** In the same order. */
  readonly activity: readonly ActivityOfSpan[];
  /** In the equally long time before the first day; null if it is not counted. */
  readonly loginsBefore: number | null;
}

/** @throws {ApiError} `invalid_request` */
export async function findActivity(
  view: SiteView,
  { days: count, timeZone }: { readonly days: number; readonly timeZone: string },
): Promise<ActivityOfDays> {
  const days = lastDays(count, timeZone, view.now);
  const before = { start: startOfDayBefore(days[0]!, count, timeZone), end: days[0]!.start };
  const isCounted = before.start >= countedSince(view.now);
  const spans = isCounted ? [...days, before] : days;
  const activity = await sumActivity(view, spans);
  const loginsBefore = isCounted ? activity.at(-1)!.logins : null;
  return { days, activity: activity.slice(0, count), loginsBefore };
}

/** The numbers of each day, and those before the first day: what the site has now, without what changed since then. */
export function numbersOfDays(
  now: MemberCounts,
  { days, activity, loginsBefore }: ActivityOfDays,
): Pick<Overview, 'before' | 'loginsBefore' | 'days'> {
  const numbers: Overview['days'] = [];
  let later = noMembers;
  for (const [index, { changes, created, logins }] of [...activity.entries()].reverse()) {
    const members = Math.max(now.members - later.members, 0);
    numbers.unshift({ date: days[index]!.date, created, logins, members });
    later = sumOfCounts([later, changes]);
  }
  return { before: memberCounts(countsBefore(now, later)), loginsBefore, days: numbers };
}

/** Possible numbers, also if a version before this one counted less. */
function countsBefore(now: MemberCounts, changes: MemberCounts): MemberCounts {
  const members = Math.max(now.members - changes.members, 0);
  const part = (name: keyof MemberCounts) => Math.min(Math.max(now[name] - changes[name], 0), members);
  return { members, blocked: part('blocked'), paid: part('paid'), verified: part('verified') };
}

export function memberCounts({ members, blocked, paid, verified }: MemberCounts): Overview['members'] {
  return { total: members, active: members - blocked, blocked, paid, verified };
}
