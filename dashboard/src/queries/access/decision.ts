import type { AccessCheck, AccessRule } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useSiteApi } from '../site-api.ts';

/**
 * The decision about one visitor and URL: by the saved rules, or by others that are not saved.
 * @param check undefined while nothing can be checked
 */
export function useDecision(check: AccessCheck | undefined, unsavedRules?: readonly AccessRule[]) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.rules.decision(check, unsavedRules),
    queryFn: async ({ signal }) => {
      const [decision] = await gatehouse.access.check([check!], {
        signal,
        ...(unsavedRules && { rules: unsavedRules }),
      });
      return decision!;
    },
    enabled: check !== undefined,
    staleTime: 0,
  });
}
