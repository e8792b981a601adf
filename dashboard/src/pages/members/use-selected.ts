import type { Gatehouse, ListMembers } from '@gatehouse/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useOverview } from '../../parts/overview.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { collectMatching, type Watch } from './bulk.ts';
import { isSelected, type Selection } from './selection.ts';

/** How many are selected; null while they are being counted. */
export function useSelectedCount(
  selection: Selection,
  filter: ListMembers,
  matching: number | null,
): number | null {
  const site = useSite();
  const gatehouse = useGatehouse();
  const overview = useOverview();
  const counted = matching ?? (isUnfiltered(filter) ? (overview.data?.members.total ?? null) : null);
  const { data } = useQuery({
    queryKey: matchingKey(site.id, filter),
    queryFn: ({ signal }) => matchingIds(gatehouse, filter, { signal, onProgress: () => {} }),
    enabled: selection.all && counted === null && !isUnfiltered(filter),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!selection.all) return selection.members.size;
  const all = counted ?? data?.length;
  return all === undefined ? null : all - selection.except.size;
}

/** Gives the ids of those who are selected: those who were counted, where they were. */
export function useCollectSelected(selection: Selection, filter: ListMembers) {
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  /** @throws the reason of the signal when it aborts */
  return async (watch: Watch): Promise<string[]> => {
    if (!selection.all) return [...selection.members];
    const counted = client.getQueryState<string[]>(matchingKey(site.id, filter));
    const usable = counted?.data !== undefined && !counted.isInvalidated;
    const ids = usable ? counted.data! : await matchingIds(gatehouse, filter, watch);
    return ids.filter((id) => isSelected(selection, id));
  };
}

async function matchingIds(gatehouse: Gatehouse, filter: ListMembers, watch: Watch): Promise<string[]> {
  const everybody: Selection = { all: true, except: new Set() };
  return (await collectMatching(gatehouse, everybody, filter, watch)).map(({ id }) => id);
}

function matchingKey(siteId: string, { q, status, paid, verified }: ListMembers) {
  return [siteId, 'members', 'matching', { q, status, paid, verified }];
}

function isUnfiltered({ q, status, paid, verified }: ListMembers): boolean {
  return [q, status, paid, verified].every((value) => value === undefined);
}
