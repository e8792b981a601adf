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
const countedDays = 35;
const storedDays = 40;

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

function sumOfCounts(counts: readonly MemberCounts[]): MemberCounts {
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
    const change = activityOfEvent(event.type, event.memberId, context.at);
    if (!change || change.startsAt < countedSince(context.at)) continue;
    const { startsAt } = change;
    const before = byStart.get(startsAt) ?? { startsAt, created: 0, logins: 0 };
    const created = before.created + change.created;
    byStart.set(startsAt, { startsAt, created, logins: before.logins + change.logins });
  }
  return [...byStart.values()].filter(({ created, logins }) => created !== 0 || logins !== 0);
}

function activityOfEvent(type: string, memberId: string | undefined, at: Timestamp): Activity | undefined {
  switch (type) {
    case 'member.created':
      return { startsAt: startOfQuarter(timeOfId(memberId!)), created: 1, logins: 0 };
    case 'member.deleted':
      return { startsAt: startOfQuarter(timeOfId(memberId!)), created: -1, logins: 0 };
    case 'member.login':
      return { startsAt: startOfQuarter(at), created: 0, logins: 1 };
    default:
      return undefined;
  }
}
