import type { Gatehouse, Source } from '@gatehouse/client';
import { factsOfType } from '@gatehouse/contract/source-types';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useGatehouse } from '../session/site.ts';
import { type SiteKeys, useSiteKeys } from './keys.ts';
import { useSiteApi } from './site-api.ts';

/** Workspaces answer slowly and limit how often they are asked. */
const staleTime = 5 * 60_000;

const collectionsQuery = (keys: SiteKeys, { sources }: Gatehouse, sourceId: string) =>
  queryOptions({
    queryKey: keys.sources.collections(sourceId),
    queryFn: ({ signal }) => sources.collections.list(sourceId, { signal }),
    staleTime,
    refetchOnWindowFocus: false,
  });

const previewQuery = (keys: SiteKeys, { sources }: Gatehouse, sourceId: string, collectionKey: string) =>
  queryOptions({
    queryKey: keys.sources.preview(sourceId, collectionKey),
    queryFn: ({ signal }) => sources.collections.preview(sourceId, collectionKey, { signal }),
    staleTime,
    refetchOnWindowFocus: false,
  });

/** The collections that the workspace shows now. */
export function useWorkspaceCollections(sourceId: string) {
  return useQuery(collectionsQuery(useSiteKeys(), useGatehouse(), sourceId));
}

/** The columns and first rows of a collection. */
export function usePreview(sourceId: string, collectionKey: string) {
  return useQuery(previewQuery(useSiteKeys(), useGatehouse(), sourceId, collectionKey));
}

/** How often to look whether Notion has sent its token or a change. */
const webhookMilliseconds = 5_000;

export function useWebhook(sourceId: string) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.sources.webhook(sourceId),
    queryFn: ({ signal }) => gatehouse.sources.webhook.get(sourceId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? false : webhookMilliseconds),
  });
}

/** Asks the workspace of a source for what the next step shows, so that a wrong token or address is noticed. */
export function useTryWorkspace(): (source: Source) => Promise<unknown> {
  const { gatehouse, keys, client } = useSiteApi();
  return async ({ id, type }) => {
    // Everything that was read before may be of another workspace.
    await client.cancelQueries({ queryKey: keys.sources.collections(id) });
    client.removeQueries({ queryKey: keys.sources.collections(id) });
    const onlyCollection = factsOfType(type)?.onlyCollection;
    if (onlyCollection) return client.fetchQuery(previewQuery(keys, gatehouse, id, onlyCollection));
    return client.fetchQuery(collectionsQuery(keys, gatehouse, id));
  };
}
