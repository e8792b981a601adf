import type { Membership } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useGatehouse, useMay } from '../session/site.ts';
import { useSiteKeys } from './keys.ts';
import { type Version, versionOf } from './version.ts';

/**
 * The start and end of a membership; undefined while loading, if the member is not in the group, and without a member
 * or a group.
 */
export function useMembership(
  memberId: string | undefined,
  groupId: string | undefined,
): Version<Membership> | undefined {
  const keys = useSiteKeys();
  const { memberships } = useGatehouse().accessGroups;
  const mayRead = useMay('access-groups:read');
  return useQuery({
    queryKey: keys.memberships.one(memberId, groupId),
    queryFn: ({ signal }) => versionOf(memberships.get(groupId!, memberId!, { signal })),
    enabled: mayRead && memberId !== undefined && groupId !== undefined,
  }).data;
}

/** Changes the end of a membership as it was loaded, and undoes the change. */
export function useEndChange(): (
  base: Version<Membership>,
  expiresAt: string | null,
) => { send: () => Promise<void>; undo: () => Promise<void> } {
  const { memberships } = useGatehouse().accessGroups;
  return (base, expiresAt) => {
    const { groupId, memberId } = base.data;
    let { etag } = base;
    const setEnd = (end: string | null) => async () => {
      const changes = { expiresAt: end };
      ({ etag } = await versionOf(memberships.update(groupId, memberId, changes, { ifMatch: etag })));
    };
    return { send: setEnd(expiresAt), undo: setEnd(base.data.expiresAt) };
  };
}
