import type { AccessGroup } from '@gatehouse/client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useGatehouse, useMay, useSite } from '../session/site.ts';

const largestPage = 100;

/** Every access group of the site by its name, for choosing among them. Undefined data until all have come. */
export function useAccessGroups(): UseQueryResult<readonly AccessGroup[]> {
  const site = useSite();
  const gatehouse = useGatehouse();
  const enabled = useMay('access-groups:read');
  return useQuery({
    queryKey: [site.id, 'groups', 'all'],
    queryFn: async ({ signal }) => {
      const groups = await Array.fromAsync(gatehouse.accessGroups.list({ limit: largestPage }, { signal }));
      return groups.sort((one, other) => one.name.localeCompare(other.name));
    },
    enabled,
  });
}
