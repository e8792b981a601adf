import type { MemberWithGroups } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';
import type { SiteApi } from '../site-api.ts';
import { type Version, versionOf } from '../version.ts';

export type SavedMember = Version<MemberWithGroups>;

/** The query for a member. */
export function memberQuery({ gatehouse, keys }: SiteApi, memberId: string) {
  return queryOptions({
    queryKey: keys.members.one(memberId),
    queryFn: ({ signal }) => versionOf(gatehouse.members.get(memberId, { signal })),
  });
}
