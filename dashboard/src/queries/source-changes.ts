import type { CreateSource, Source, UpdateSource } from '@gatehouse/client';
import { useGatehouse } from '../session/site.ts';
import { useSiteApi } from './site-api.ts';
import { versionOf } from './version.ts';

/** Changes a source, and updates what is cached of it. */
export function useSaveSource(): (sourceId: string, changes: UpdateSource, etag?: string) => Promise<Source> {
  const { sources } = useGatehouse();
  const remember = useRemember();
  return async (sourceId, changes, etag) => {
    return remember(await versionOf(sources.update(sourceId, changes, { ifMatch: etag })));
  };
}

/** Creates a source, and adds it to what is cached. */
export function useCreateSource(): (source: CreateSource) => Promise<Source> {
  const { sources } = useGatehouse();
  const remember = useRemember();
  return async (source) => remember(await versionOf(sources.create(source)));
}

export function useResetWebhook(): (sourceId: string) => Promise<void> {
  const { gatehouse, keys, client } = useSiteApi();
  return async (sourceId) => {
    await gatehouse.sources.webhook.reset(sourceId);
    await client.invalidateQueries({ queryKey: keys.sources.webhook(sourceId) });
  };
}

function useRemember() {
  const { keys, client } = useSiteApi();
  return async (saved: { data: Source; etag: string | undefined }): Promise<Source> => {
    const { id } = saved.data;
    client.setQueryData(keys.sources.one(id), saved);
    void client.invalidateQueries({ queryKey: keys.sources.list });
    void client.invalidateQueries({ queryKey: keys.sources.runs(id) });
    return saved.data;
  };
}
