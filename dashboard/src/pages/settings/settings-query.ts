import type { Site, UpdateSite } from '@gatehouse/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../../session/me.ts';
import { useGatehouse, useSite } from '../../session/site.ts';

/** The site as the service has it, in one version. */
export interface SavedSite {
  readonly site: Site;
  readonly etag: string | undefined;
}

export function useSavedSite() {
  return useQuery(useSiteQuery());
}

/** Changes the site, unless it is no longer that of `etag`. */
export function useSaveSite() {
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const query = useSiteQuery();
  return useMutation({
    mutationFn: async ({ changes, etag }: { changes: UpdateSite; etag: string | undefined }) =>
      toSaved(await gatehouse.site.update(changes, { ifMatch: etag }).withResponse()),
    onSuccess: (saved) => {
      client.setQueryData(query.queryKey, saved);
      void client.invalidateQueries(meQuery);
    },
  });
}

function useSiteQuery() {
  const { id } = useSite();
  const gatehouse = useGatehouse();
  return queryOptions({
    queryKey: [id, 'site'],
    queryFn: async ({ signal }) => toSaved(await gatehouse.site.get({ signal }).withResponse()),
  });
}

function toSaved({ data, response }: { data: Site; response: { etag: string | undefined } }): SavedSite {
  return { site: data, etag: response.etag };
}
