import type { AccessRule } from '@gatehouse/client';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { SiteTarget } from '../../../format/addresses/site-url.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { isAddress } from '../conditions/network.ts';
import type { AccessTest } from './access-test.ts';

const typingMilliseconds = 250;

/**
 * The decision about what is tested: by the saved rules, or by others that are not saved.
 * @param target null while nothing can be tested
 */
export function useDecision(
  { fields, memberId }: AccessTest,
  target: SiteTarget | null,
  unsavedRules: readonly AccessRule[] | undefined,
) {
  const { gatehouse, keys } = useSiteApi();
  const [path] = useDebouncedValue(target?.path, typingMilliseconds);
  const { ipAddress: typedAddress, preflight, pageCodeIds } = fields;
  // The service rejects an address that is not complete.
  const ipAddress = isAddress(typedAddress.trim()) ? typedAddress.trim() : undefined;
  const who = preflight ? { preflight } : { memberId };
  const entered = !preflight && pageCodeIds.length > 0 && { pageCodeIds };
  const check = { ...who, ...entered, path: path ?? '', ipAddress, host: target?.host };
  const { data, error, refetch } = useQuery({
    queryKey: keys.rules.decision(check, unsavedRules),
    queryFn: async ({ signal }) => {
      const [decision] = await gatehouse.access.check([check], {
        signal,
        ...(unsavedRules && { rules: unsavedRules }),
      });
      return decision!;
    },
    enabled: path !== undefined,
    staleTime: 0,
  });
  // A result for another path must not be shown for this one.
  return path === target?.path ? { data, error, refetch } : { data: undefined, error: null, refetch };
}
