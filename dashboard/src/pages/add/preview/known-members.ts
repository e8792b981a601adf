import { isUsed, lookUpMembers, type MemberDraft, type MemberState } from '@gatehouse/member-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSiteKeys } from '../../../queries/keys.ts';
import { useGatehouse } from '../../../session/site.ts';

const maxLookedUp = 10_000;

interface KnownMembers {
  /** Existing members by email address; undefined until they are loaded. */
  readonly known: ReadonlyMap<string, MemberState> | undefined;
  readonly lookingUp: boolean;
}

/** The existing members among the rows. For more than a few thousand rows, only the import itself finds them. */
export function useKnownMembers(drafts: readonly MemberDraft[]): KnownMembers {
  const keys = useSiteKeys();
  const gatehouse = useGatehouse();
  const addresses = useMemo(() => addressesOf(drafts), [drafts]);
  const { data, isLoading } = useQuery({
    queryKey: keys.members.byEmail(addresses),
    enabled: addresses.length > 0,
    staleTime: 60_000,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const found = await lookUpMembers(gatehouse, addresses, { signal });
      return new Map([...found].map(([address, { state }]) => [address, state]));
    },
  });
  return { known: data, lookingUp: isLoading };
}

/** The addresses to look up; none if there are too many. */
function addressesOf(drafts: readonly MemberDraft[]): string[] {
  const each = [...new Set(drafts.filter(isUsed).map(({ address }) => address!))];
  return each.length > maxLookedUp ? [] : each;
}
