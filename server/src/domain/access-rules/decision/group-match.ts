import type { GroupMatch } from '@gatehouse/contract';

/** Whether a member with the groups `held` is in any, or in all, of the groups of a rule. */
export function isInGroups(
  groupIds: readonly string[],
  match: GroupMatch,
  held: ReadonlySet<string> | readonly string[],
): boolean {
  const has = (id: string) => ('has' in held ? held.has(id) : held.includes(id));
  // With `all`, a rule without groups would otherwise match everyone.
  if (match === 'all') return groupIds.length > 0 && groupIds.every(has);
  return groupIds.some(has);
}
