import type { AccessGroup } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMay } from '../session/site.ts';
import { useSiteApi } from './site-api.ts';

/** All access groups of the site by name, for a select. The data is undefined until all are loaded. */
export function useAccessGroups(isNeeded = true): UseQueryResult<readonly AccessGroup[]> {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('access-groups:read') && isNeeded;
  return useQuery({
    queryKey: keys.groups.choices,
    queryFn: async ({ signal }) => {
      const groups = await Array.fromAsync(gatehouse.accessGroups.list({ limit: maxPageSize }, { signal }));
      return groups.sort((one, other) => one.name.localeCompare(other.name));
    },
    enabled,
  });
}
