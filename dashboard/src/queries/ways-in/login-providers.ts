import type { LoginProvider, LoginProviderTest, UpdateLoginProvider } from '@gatehouse/client';
import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { type SiteApi, useSiteApi } from '../site-api.ts';
import { versionOf } from '../version.ts';

/** All login providers of the site, oldest first. */
export function useLoginProviders() {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.loginProviders.list,
    queryFn: ({ signal }) => gatehouse.loginProviders.list({ signal }),
  });
}

export function useLoginProvider(providerId: string) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.loginProviders.one(providerId),
    queryFn: ({ signal }) => versionOf(gatehouse.loginProviders.get(providerId, { signal })),
  });
}

/** How many members use each way to log in, and how the present sessions were opened. */
export function useLoginMethods() {
  return useQuery(loginMethodsQuery(useSiteApi()));
}

export function loginMethodsQuery({ gatehouse, keys }: SiteApi) {
  return queryOptions({
    queryKey: keys.loginMethods,
    queryFn: ({ signal }) => gatehouse.loginMethods.get({ signal }),
  });
}

/** Changes a login provider, and updates what is cached of it. */
export function useSaveLoginProvider(): (
  providerId: string,
  changes: UpdateLoginProvider,
  etag?: string,
) => Promise<LoginProvider> {
  const { gatehouse, keys, client } = useSiteApi();
  return async (providerId, changes, etag) => {
    const saved = await versionOf(gatehouse.loginProviders.update(providerId, changes, { ifMatch: etag }));
    client.setQueryData(keys.loginProviders.one(providerId), saved);
    // What a test has found may no longer hold.
    if (Object.keys(changes).some((name) => name !== 'enabled'))
      client.setQueryData<LastTest>(
        keys.loginProviders.test(providerId),
        (last) => last && { ...last, isOutdated: true },
      );
    void client.invalidateQueries({ queryKey: keys.loginProviders.list });
    void client.invalidateQueries({ queryKey: keys.events.all });
    return saved.data;
  };
}

/** What the last test of a provider has found. */
export interface LastTest extends LoginProviderTest {
  testedAt: string;
  /** Whether the settings have changed since. */
  isOutdated: boolean;
}

export function toLastTest(found: LoginProviderTest): LastTest {
  return { ...found, testedAt: new Date().toISOString(), isOutdated: false };
}

/** Tests the settings of a provider, and what the last test has found. */
export function useProviderTest(providerId: string) {
  const { gatehouse, keys, client } = useSiteApi();
  const query = queryOptions<LastTest>({
    queryKey: keys.loginProviders.test(providerId),
    queryFn: skipToken,
  });
  const { data } = useQuery(query);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => gatehouse.loginProviders.test(providerId),
    onSuccess: (found) => client.setQueryData(query.queryKey, toLastTest(found)),
  });
  return { found: data, test: () => mutate(), isPending, error };
}
