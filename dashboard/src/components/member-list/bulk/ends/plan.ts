import { endOfDay } from '@gatehouse/contract/time-zones';
import { lastDayBefore, yearAfter } from '../../../../format/days.ts';
import type { BulkStep } from '../bulk-action.ts';
import type { GroupEnds, MembershipEnd } from './memberships.ts';

/** The new end: one for all, null for none, or for each the same day of the year after it. */
export type NewEnd = { readonly expiresAt: string | null } | 'year_later';

/** What a change of ends does. */
export interface EndsPlan {
  readonly groupId: string;
  readonly steps: readonly BulkStep[];
  readonly changed: number;
  /** The new ends, the first one and the last one; null for none. */
  readonly first: string | null;
  readonly last: string | null;
  /** Memberships that will end earlier than now, or have no end now. */
  readonly earlier: number;
  /** Memberships that stay as they are, because they have this end already, or none that could be a year later. */
  readonly unchanged: number;
}

export function planEnds({ id: groupId, ends }: GroupEnds, newEnd: NewEnd, timeZone: string): EndsPlan {
  const planned = ends
    .map((membership) => ({ ...membership, to: endAfter(membership, newEnd, timeZone) }))
    .filter(({ expiresAt, to }) => to !== expiresAt);
  const news = planned.map(({ to }) => to).toSorted(compareEnds);
  const steps = [...Map.groupBy(planned, ({ to }) => to)].map(([expiresAt, changes]): BulkStep => {
    const memberIds = changes.map(({ memberId }) => memberId);
    return { memberIds, action: { type: 'set_end_in_group', groupId, expiresAt } };
  });
  return {
    groupId,
    steps,
    changed: planned.length,
    first: news[0] ?? null,
    last: news.at(-1) ?? null,
    earlier: planned.filter(({ expiresAt, to }) => compareEnds(to, expiresAt) < 0).length,
    unchanged: ends.length - planned.length,
  };
}

function endAfter({ expiresAt }: MembershipEnd, newEnd: NewEnd, timeZone: string): string | null {
  if (newEnd !== 'year_later') return newEnd.expiresAt;
  if (expiresAt === null) return null;
  return endOfDay(yearAfter(lastDayBefore(expiresAt, timeZone)), timeZone) ?? expiresAt;
}

/** No end is after every other one. */
function compareEnds(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return Date.parse(one) - Date.parse(other);
}
