import type { AccessAlternative, AccessGroup, MemberWithGroups } from '@gatehouse/client';
import type { FormerMembership } from '../../../queries/members/former-memberships.ts';
import type { Decided } from '../decision-reason.tsx';

/** What would give a member the access that is denied, or be a step towards it. */
export type Repair =
  | { readonly type: 'unblock' | 'mark_paid' }
  | {
      readonly type: 'join';
      readonly group: { readonly id: string; readonly name: string };
      /** The end of the last membership in the group, if it ended by itself. */
      readonly endedAt: string | undefined;
    };

/** More groups are on the page of the member. */
const maxGroups = 3;

interface Known {
  readonly member: MemberWithGroups;
  readonly groups: readonly AccessGroup[];
  readonly former: ReadonlyMap<string, FormerMembership>;
}

/** How an operator can remove the reasons of a decision. There is nothing to do about a time or a network. */
export function repairsOf({ reason, rule, alternatives }: Decided, known: Known): Repair[] {
  if (reason === 'blocked') return [{ type: 'unblock' }];
  if (reason === 'not_paying') return [{ type: 'mark_paid' }];
  if (rule?.access === 'groups' && reason === 'not_in_groups') return joining(rule, known);
  if (rule?.access !== 'conditional' || reason !== 'condition_not_met' || !alternatives) return [];
  const all = rule.anyOf.flatMap((each, index) => repairsOfResult(each, alternatives[index]!, known));
  return [...new Map(all.map((repair) => [keyOf(repair), repair])).values()];
}

export function keyOf(repair: Repair): string {
  return repair.type === 'join' ? repair.group.id : repair.type;
}

/** The ids of the groups that a decision says the member is not in. */
export function missedGroups({ reason, rule, alternatives }: Decided): string[] {
  if (rule?.access === 'groups' && reason === 'not_in_groups') return rule.groupIds;
  if (rule?.access !== 'conditional' || reason !== 'condition_not_met') return [];
  return rule.anyOf.flatMap(({ groupIds = [] }, index) =>
    alternatives?.[index] === 'groups' ? groupIds : [],
  );
}

function repairsOfResult(alternative: AccessAlternative, result: string, known: Known): Repair[] {
  if (result === 'active') return [{ type: 'unblock' }];
  if (result === 'paid') return [{ type: 'mark_paid' }];
  return result === 'groups' ? joining(alternative, known) : [];
}

/** Into the groups where the membership ended by itself; otherwise, if one is enough, into any of them. */
function joining(
  { groupIds = [], match }: Pick<AccessAlternative, 'groupIds' | 'match'>,
  { member, groups, former }: Known,
): Repair[] {
  const isIn = new Set(member.accessGroups.map(({ id }) => id));
  const missing = groupIds
    .filter((id) => !isIn.has(id))
    .map((id) => groups.find((group) => group.id === id))
    .filter((group) => group?.type === 'custom');
  const repairs = missing.map((group) => {
    const { how, at } = former.get(group!.id) ?? {};
    return { type: 'join' as const, group: group!, endedAt: how === 'ended' ? at : undefined };
  });
  const ended = repairs.filter(({ endedAt }) => endedAt !== undefined);
  return (match !== 'all' && ended.length > 0 ? ended : repairs).slice(0, maxGroups);
}
