import type { PageCode } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../session/site.ts';
import { useSiteApi } from '../site-api.ts';

/** All page codes of the site, newest first. The data is undefined until all are loaded. */
export function usePageCodes() {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('site:read');
  return useQuery<readonly PageCode[]>({
    queryKey: keys.pageCodes,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.pageCodes.list({ limit: maxPageSize }, { signal })),
    enabled,
  });
}
