import type { FoundMember, Member } from '@gatehouse/client';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSiteApi } from '../../../queries/site-api.ts';

export type MemberGroups = FoundMember['accessGroups'];

/** How long the groups of a page of members that is not visible stay cached. */
const cacheMilliseconds = 15_000;

/** Loads the groups of the members of some pages, one request for each page. */
export function useMemberGroups(
  pages: readonly (readonly Member[] | undefined)[],
): (memberId: string) => MemberGroups | undefined {
  const { gatehouse, keys } = useSiteApi();
  const groups = useQueries({
    queries: pages
      .filter((members) => members !== undefined && members.length > 0)
      .map((members) => {
        const memberIds = members!.map(({ id }) => id);
        return {
          queryKey: keys.members.groupsOf(memberIds),
          queryFn: ({ signal }: { signal: AbortSignal }) =>
            gatehouse.members.lookUp({ memberIds }, { signal }),
          gcTime: cacheMilliseconds,
        };
      }),
    combine: byMember,
  });
  // After a change of the list, the groups that were shown stay until the new ones are loaded.
  const former = useRef(groups);
  useEffect(() => {
    if (groups.size > 0) former.current = groups;
  }, [groups]);
  return (memberId) => groups.get(memberId) ?? former.current.get(memberId);
}

function byMember(results: readonly { data: FoundMember[] | undefined }[]): Map<string, MemberGroups> {
  const found = results.flatMap(({ data }) => data ?? []);
  return new Map(found.map(({ id, accessGroups }) => [id, accessGroups]));
}
