import type { ListMembers } from '@gatehouse/client';
import type { GroupEnds } from './memberships.ts';

/** Members whose ends are changed. */
export interface EndsQuestion {
  /** The groups that they are in. */
  readonly groups: readonly GroupEnds[];
  readonly count: number;
}

/**
 * The id of the group that is chosen at first: the one by which the list is filtered, the only one that ends for all in the time
 * by which it is filtered, or the only one. Otherwise null: none is more likely than others.
 */
export function groupAtFirst(
  { groups, count }: EndsQuestion,
  { groupId, expiresBefore }: Pick<ListMembers, 'groupId' | 'expiresBefore'>,
): string | null {
  const listed = groups.find(({ id }) => id === groupId);
  if (listed) return listed.id;
  const ending = groups.filter((group) => endingBefore(group, expiresBefore) > 0);
  if (ending.length === 1 && endingBefore(ending[0]!, expiresBefore) === count) return ending[0]!.id;
  return groups.length === 1 ? groups[0]!.id : null;
}

function endingBefore({ ends }: GroupEnds, time: string | undefined): number {
  if (time === undefined) return 0;
  const before = Date.parse(time);
  return ends.filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) < before).length;
}
