import type { Gatehouse, ListMembers } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useOverview } from '../../../queries/overview.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { excludesSome } from '../member-filter.ts';
import { isSelected, type Selection } from '../selection.ts';
import { collectMatching, type Watch } from './bulk-action.ts';

/** The number of selected members; null while they are being counted. */
export function useSelectedCount(
  selection: Selection,
  filter: ListMembers,
  matching: number | null,
): number | null {
  const { gatehouse, keys } = useSiteApi();
  const overview = useOverview();
  const counted = matching ?? (excludesSome(filter) ? null : (overview.data?.members.total ?? null));
  const { data } = useQuery({
    queryKey: keys.members.matching(filter),
    queryFn: ({ signal }) => matchingIds(gatehouse, filter, { signal, onProgress: () => {} }),
    enabled: selection.all && counted === null && excludesSome(filter),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!selection.all) return selection.members.size;
  const all = counted ?? data?.length;
  return all === undefined ? null : all - selection.except.size;
}

/** Returns the ids of the selected members: those that were counted, if they were. */
export function useCollectSelected(selection: Selection, filter: ListMembers) {
  const { gatehouse, keys, client } = useSiteApi();
  /** @throws the reason of the signal when it aborts */
  return async (watch: Watch): Promise<string[]> => {
    if (!selection.all) return [...selection.members];
    const counted = client.getQueryState<string[]>(keys.members.matching(filter));
    const usable = counted?.data !== undefined && !counted.isInvalidated;
    const ids = usable ? counted.data! : await matchingIds(gatehouse, filter, watch);
    return ids.filter((id) => isSelected(selection, id));
  };
}

async function matchingIds(gatehouse: Gatehouse, filter: ListMembers, watch: Watch): Promise<string[]> {
  const everyone: Selection = { all: true, except: new Set() };
  return (await collectMatching(gatehouse, everyone, filter, watch)).map(({ id }) => id);
}
