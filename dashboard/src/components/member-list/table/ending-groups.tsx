import { shortEndDay } from '../../../format/ends.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { GroupChips } from '../../access-groups/group-chips.tsx';
import type { MemberGroups } from './member-groups.ts';

interface EndingGroupsProps {
  groups: MemberGroups;
  /** The group by which the list is filtered. */
  filtered: string | undefined;
}

/** The groups of a member in a list that is filtered by ends: what ends first, with the day. */
export function EndingGroups({ groups, filtered }: EndingGroupsProps) {
  const t = useTexts('members');
  const { timeZone } = useSite();
  return (
    <GroupChips
      groups={firstToEnd(groups, filtered)}
      shown={1}
      end={(at) => t('untilDay', { day: shortEndDay(at, timeZone) })}
    />
  );
}

/** Those that end soonest first, those without an end last. The group by which the list is filtered is before all. */
export function firstToEnd(groups: MemberGroups, filtered: string | undefined): MemberGroups {
  const order = ({ id, expiresAt }: MemberGroups[number]) => {
    if (id === filtered) return 0;
    return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  };
  return groups.toSorted((one, other) => compare(order(one), order(other)));
}

function compare(one: number, other: number): number {
  return one === other ? 0 : Math.sign(one - other);
}
