import type { Site, UpdateSite } from '@gatehouse/client';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { meQuery } from '../session/me.ts';
import { useSiteApi } from './site-api.ts';
import { changeFields, type Version, versionOf } from './version.ts';

export function useSavedSite() {
  return useQuery(useSiteQuery());
}

/** Changes the site, unless one of the fields has changed since `base` was loaded. */
export function useSaveSite() {
  const { gatehouse, client } = useSiteApi();
  const query = useSiteQuery();
  return useMutation({
    mutationFn: ({ changes, base, fields }: SiteChanges) =>
      changeFields({
        base,
        fields,
        read: () => versionOf(gatehouse.site.get()),
        send: (etag) => versionOf(gatehouse.site.update(changes, { ifMatch: etag })),
      }),
    onSuccess: (saved) => {
      client.setQueryData(query.queryKey, saved);
      void client.invalidateQueries(meQuery);
    },
  });
}

interface SiteChanges {
  changes: UpdateSite;
  /** The version that the changes were made to. */
  base: Version<Site>;
  fields: readonly (keyof Site)[];
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
