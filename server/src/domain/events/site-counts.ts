import { type Timestamp, timestampBefore } from '../../base/clock.ts';
import { timeOfId } from '../../base/ids.ts';

// The numbers of a site, which its events change in the transaction that writes them.

/** How many members a site has, or by how many an event changes that. */
export interface MemberCounts {
  readonly members: number;
  readonly blocked: number;
  readonly paid: number;
  readonly verified: number;
}

/** What happened in the quarter of an hour that begins at a time. The days of every time zone consist of these. */
export interface Activity {
  readonly startsAt: Timestamp;
  /** The members who were created then and still exist. */
  readonly created: number;
  readonly logins: number;
  /** By how much the numbers of members changed then. */
  readonly changes: MemberCounts;
}

/** What an event contains that numbers depend on. */
interface CountedEvent {
  readonly context: { readonly at: Timestamp };
  readonly event: {
    readonly type: string;
    readonly memberId?: string;
    readonly counts?: MemberCounts;
  };
}

const quarterHour = 15 * 60_000;
const day = 24 * 60 * 60_000;
/** More than the overview shows, in any time zone. */
const countedDays = 100;
const storedDays = 105;

/** From when on activity is counted. */
export function countedSince(now: Timestamp): Timestamp {
  return startOfQuarter(timestampBefore(now, countedDays * day));
}

/** Until when counted activity is purged: some days later, so that nothing is counted again that has been purged. */
export function activityPurgedUntil(now: Timestamp): Timestamp {
  return timestampBefore(now, storedDays * day);
}

function startOfQuarter(time: Timestamp): Timestamp {
  return new Date(Math.floor(Date.parse(time) / quarterHour) * quarterHour).toISOString();
}

export const noMembers: MemberCounts = { members: 0, blocked: 0, paid: 0, verified: 0 };

export function sumOfCounts(counts: readonly MemberCounts[]): MemberCounts {
  return counts.reduce(
    (sum, each) => ({
      members: sum.members + each.members,
      blocked: sum.blocked + each.blocked,
      paid: sum.paid + each.paid,
      verified: sum.verified + each.verified,
    }),
    noMembers,
  );
}

/** By how much events change the numbers of members. */
export function memberCountsOf(events: readonly CountedEvent[]): MemberCounts {
  return sumOfCounts(events.flatMap(({ event: { counts } }) => counts ?? []));
}

/** By how much events change the activity that is counted. */
export function activityOf(events: readonly CountedEvent[]): Activity[] {
  const byStart = new Map<Timestamp, Activity>();
  for (const { event, context } of events) {
    for (const change of activityOfEvent(event, context.at)) {
      if (change.startsAt < countedSince(context.at)) continue;
      const before = byStart.get(change.startsAt);
      byStart.set(change.startsAt, before ? sumOfActivity(before, change) : change);
    }
  }
  return [...byStart.values()].filter(isActivity);
}

function activityOfEvent({ type, memberId, counts }: CountedEvent['event'], at: Timestamp): Activity[] {
  const now = startOfQuarter(at);
  const changes = counts ? [{ startsAt: now, created: 0, logins: 0, changes: counts }] : [];
  const created = (count: number) => {
    const startsAt = startOfQuarter(timeOfId(memberId!));
    return { startsAt, created: count, logins: 0, changes: noMembers };
  };
  switch (type) {
    case 'member.created':
      return [created(1), ...changes];
    case 'member.deleted':
      return [created(-1), ...changes];
    case 'member.login':
      return [{ startsAt: now, created: 0, logins: 1, changes: counts ?? noMembers }];
    default:
      return changes;
  }
}

function sumOfActivity(one: Activity, other: Activity): Activity {
  return {
    startsAt: one.startsAt,
    created: one.created + other.created,
    logins: one.logins + other.logins,
    changes: sumOfCounts([one.changes, other.changes]),
  };
}

function isActivity({ created, logins, changes }: Activity): boolean {
  return created !== 0 || logins !== 0 || Object.values(changes).some((number) => number !== 0);
}
