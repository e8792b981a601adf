import { isUsed, lookUpMembers, type MemberDraft, type MemberState } from '@gatehouse/member-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSiteApi } from '../../../queries/site-api.ts';

const maxLookedUp = 10_000;

export interface KnownMembers {
  /** Existing members by email address; undefined until they are loaded. */
  readonly known: ReadonlyMap<string, MemberState> | undefined;
  readonly lookingUp: boolean;
  /** The number of addresses to look up, and of those that have been. */
  readonly total: number;
  readonly done: number;
  /** Why they could not be looked up; null if they could. */
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * The existing members among the rows. For more than a few thousand rows, only the import itself finds them, unless all
 * are wanted.
 */
export function useKnownMembers(drafts: readonly MemberDraft[], areAllWanted: boolean): KnownMembers {
  const { gatehouse, keys } = useSiteApi();
  const each = useMemo(() => addressesOf(drafts), [drafts]);
  const addresses = areAllWanted || each.length <= maxLookedUp ? each : none;
  const [done, setDone] = useState(0);
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: keys.members.byEmail(addresses),
    enabled: addresses.length > 0,
    staleTime: 60_000,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const progress = (number: number) => {
        if (!signal.aborted) setDone(number);
      };
      progress(0);
      const found = await lookUpMembers(gatehouse, addresses, { signal, progress });
      return new Map([...found].map(([address, { state }]) => [address, state]));
    },
  });
  const retry = () => void refetch();
  return { known: data, lookingUp: isLoading, total: addresses.length, done, error, retry };
}

const none: readonly string[] = [];

/** The addresses of all rows that can be imported. */
function addressesOf(drafts: readonly MemberDraft[]): string[] {
  return [...new Set(drafts.filter(isUsed).map(({ address }) => address!))];
}
