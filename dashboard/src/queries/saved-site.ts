import type { Site, UpdateSite } from '@gatehouse/client';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { meQuery } from '../session/me.ts';
import { useSiteApi } from './site-api.ts';
import { versionOf } from './version.ts';

export function useSavedSite() {
  return useQuery(useSiteQuery());
}

/** Changes the site, unless its version is no longer `etag`. */
export function useSaveSite() {
  const { gatehouse, client } = useSiteApi();
  const query = useSiteQuery();
  return useMutation({
    mutationFn: ({ changes, etag }: { changes: UpdateSite; etag: string | undefined }) =>
      versionOf(gatehouse.site.update(changes, { ifMatch: etag })),
    onSuccess: (saved) => {
      client.setQueryData(query.queryKey, saved);
      void client.invalidateQueries(meQuery);
    },
  });
}

/** The published signing keys, newest first. */
export function useSigningKeys() {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.signingKeys,
    queryFn: ({ signal }) => gatehouse.site.signingKeys.list({ signal }),
  });
}

/** Creates a signing key, which replaces the one before it. */
export function useCreateSigningKey() {
  const { gatehouse, keys, client } = useSiteApi();
  return useMutation({
    mutationFn: () => gatehouse.site.signingKeys.rotate(),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.signingKeys }),
  });
}

function useSiteQuery() {
  const { gatehouse, keys } = useSiteApi();
  return queryOptions({
    queryKey: keys.settings,
    queryFn: ({ signal }) => versionOf(gatehouse.site.get({ signal })),
  });
}

/** The domains of the hosts that have pages, the primary one first. */
export function useHosts(): string[] {
  const { data } = useSavedSite();
  return data?.data.hosts.filter(({ redirect }) => !redirect).map(({ domain }) => domain) ?? [];
}

/** Where the login provider with an issuer sends the browser back to; null for a site without a domain. */
export function redirectUriOf(
  { domain, scheme }: Pick<Site, 'domain' | 'scheme'>,
  issuer: string,
): string | null {
  return domain === null ? null : `${scheme}://${domain}${providerCallbackPath(issuer)}`;
}
