import type { FoundMember, Gatehouse } from '@gatehouse/client';
import { maxLookedUpMembers } from '@gatehouse/contract/limits';
import { toBatches, type Watch } from '../bulk-action.ts';

/** A group, and the ends of the memberships of some members in it; null for none. */
export interface GroupEnds {
  readonly id: string;
  readonly name: string;
  readonly ends: readonly MembershipEnd[];
}

export interface MembershipEnd {
  readonly memberId: string;
  readonly expiresAt: string | null;
}

/** The groups of some members, those with the most of them first. @throws the reason of the signal when it aborts */
export async function collectEnds(
  gatehouse: Gatehouse,
  ids: readonly string[],
  { signal, onProgress }: Watch,
): Promise<GroupEnds[]> {
  const members: FoundMember[] = [];
  for (const memberIds of toBatches(ids, maxLookedUpMembers)) {
    members.push(...(await gatehouse.members.lookUp({ memberIds }, { signal })));
    onProgress(members.length);
  }
  return byGroup(members);
}

function byGroup(members: readonly FoundMember[]): GroupEnds[] {
  const memberships = members.flatMap(({ id: memberId, accessGroups }) =>
    accessGroups.map(({ id, name, expiresAt }) => ({ id, name, end: { memberId, expiresAt } })),
  );
  return [...Map.groupBy(memberships, ({ id }) => id).values()]
    .map((each) => ({ id: each[0]!.id, name: each[0]!.name, ends: each.map(({ end }) => end) }))
    .toSorted((one, other) => other.ends.length - one.ends.length);
}
