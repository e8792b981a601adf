import type { AccessRule } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import type { SiteTarget } from '../../../format/addresses/site-url.ts';
import { useSiteApi } from '../../../queries/site-api.ts';

/** The same page is not checked again so soon, because a check loads many of its files. */
const staleTime = 5 * 60_000;

/** The files that a page loads, as a visitor gets it who is not logged in. */
export function usePageCheck(
  { path, host }: SiteTarget,
  unsavedRules: readonly AccessRule[] | undefined,
  enabled: boolean,
) {
  const { gatehouse, keys } = useSiteApi();
  const page = { path, host, rules: unsavedRules as AccessRule[] | undefined };
  return useQuery({
    queryKey: keys.rules.pageFiles(page),
    queryFn: ({ signal }) => gatehouse.access.pages.check(page, { signal }),
    enabled,
    staleTime,
  });
}
