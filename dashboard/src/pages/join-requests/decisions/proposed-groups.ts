import type { DecideJoinRequests, JoinRequest } from '@gatehouse/client';

/** The groups that people who ask to join are proposed for. */
export interface ProposedGroups {
  /** Those that were proposed for everyone. */
  readonly common: string[];
  /** Whether more were proposed for some of them. */
  readonly differ: boolean;
}

type Asking = Pick<JoinRequest, 'id' | 'requestedGroupIds'>;

/** @param possible the groups that members can be added to */
export function proposedGroups(requests: readonly Asking[], possible: ReadonlySet<string>): ProposedGroups {
  const lists = requests.map(({ requestedGroupIds }) => requestedGroupIds.filter((id) => possible.has(id)));
  const [first = []] = lists;
  const common = first.filter((id) => lists.every((ids) => ids.includes(id)));
  return { common, differ: lists.some(({ length }) => length > common.length) };
}

interface Approval {
  readonly groupIds: readonly string[];
  /** The groups that each person was also proposed for, as far as they are possible; undefined if they do not count. */
  readonly alsoProposed: ReadonlySet<string> | undefined;
  readonly expiresAt: string | null;
}

/** The decisions that approve requests: one for each set of groups. */
export function toApprovals(
  requests: readonly Asking[],
  { groupIds, alsoProposed, expiresAt }: Approval,
): DecideJoinRequests[] {
  const byGroups = Map.groupBy(requests, ({ requestedGroupIds }) => {
    const proposed = alsoProposed ? requestedGroupIds.filter((id) => alsoProposed.has(id)) : [];
    return [...new Set([...groupIds, ...proposed])].sort().join(' ');
  });
  return [...byGroups].map(([groups, some]) => ({
    decision: 'approve',
    joinRequestIds: some.map(({ id }) => id),
    // The permission to change groups is needed only with groups.
    ...(groups !== '' && { accessGroupIds: groups.split(' '), membershipExpiresAt: expiresAt }),
  }));
}
