import type { Membership } from '@gatehouse/client';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useGatehouse, useMay, useSite } from '../session/site.ts';
import { toVersion, type Version } from './version.ts';

/** Since when and until when a member is in a group; undefined until that is known, and for whom it is not to be. */
export function useMembership(
  memberId: string,
  groupId: string,
  enabled = true,
): Version<Membership> | undefined {
  const site = useSite();
  const { members } = useGatehouse().accessGroups;
  const mayRead = useMay('access-groups:read');
  return useQuery({
    queryKey: membershipKey(site.id, memberId, groupId),
    queryFn: async ({ signal }) => toVersion(await members.get(groupId, memberId, { signal }).withResponse()),
    enabled: enabled && mayRead,
  }).data;
}

/** Of one membership, or of all of a member. Not among the keys of groups, whose every row would ask again. */
export function membershipKey(siteId: string, memberId: string, ...groupId: [] | [string]): QueryKey {
  return [siteId, 'memberships', memberId, ...groupId];
}

/** How the end of a membership is changed as it was read, and changed back. */
export function useEndChange(): (
  base: Version<Membership>,
  expiresAt: string | null,
) => { send: () => Promise<void>; undo: () => Promise<void> } {
  const { members } = useGatehouse().accessGroups;
  return (base, expiresAt) => {
    const { groupId, memberId } = base.data;
    let { etag } = base;
    const setEnd = (end: string | null) => async () => {
      const call = members.update(groupId, memberId, { expiresAt: end }, { ifMatch: etag });
      ({ etag } = toVersion(await call.withResponse()));
    };
    return { send: setEnd(expiresAt), undo: setEnd(base.data.expiresAt) };
  };
}
