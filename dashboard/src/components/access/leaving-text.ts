import { endDay } from '../../format/ends.ts';
import { useTexts } from '../../languages/texts.tsx';
import { type FormerMembership, useFormerMemberships } from '../../queries/members/former-memberships.ts';
import { useSite } from '../../session/site.ts';
import { isNear, timeText, useMinutes } from '../time-text.tsx';
import type { NameOf } from './rule-names.ts';

/** Says with the reason that a member is in none of some groups when a membership in them ended. */
export type LeavingText = (reason: string, groupIds: readonly string[]) => string;

export const withoutLeaving: LeavingText = (reason) => reason;

/** The ends of memberships of a member, and how to say them: "Not in Course: the membership ended 4 minutes ago (28 Nov)". */
export function useLeaving(
  memberId: string | undefined,
  groupIds: readonly string[],
  nameOf: NameOf,
): { former: ReadonlyMap<string, FormerMembership>; text: LeavingText } {
  const t = useTexts('access');
  const { timeZone } = useSite();
  const former = useFormerMemberships(memberId, groupIds);
  useMinutes();
  const text: LeavingText = (reason, ids) => {
    const last = lastOf(former, ids);
    if (!last) return reason;
    const { groupId, how, at } = last;
    const values = { reason, group: nameOf(groupId).name, ago: timeText(at, 'relative') };
    const isOne = ids.length === 1;
    if (how === 'removed') return t(isOne ? 'left.removed' : 'left.removedFrom', values);
    const day = endDay(at, timeZone);
    if (isNear(at, new Date())) return t(isOne ? 'left.ended' : 'left.endedIn', { ...values, day });
    return t(isOne ? 'left.endedOn' : 'left.endedInOn', { ...values, day });
  };
  return { former, text };
}

/** The membership in one of the groups that was the last to end. */
function lastOf(
  former: ReadonlyMap<string, FormerMembership>,
  groupIds: readonly string[],
): FormerMembership | undefined {
  return groupIds
    .map((id) => former.get(id))
    .filter((each) => each !== undefined)
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .at(-1);
}
