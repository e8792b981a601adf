import { findTimeZone, timeZoneForDays } from '../../member/site-time-zone.ts';
import { type ConnectionOptions, connect } from '../../shared/connection.ts';
import type { SiteApi } from './site-api.ts';

const pollMilliseconds = 200;

/** Calls the service of an API key, for its site. */
export async function withRemoteApi<T>(
  options: ConnectionOptions,
  work: (api: SiteApi) => Promise<T>,
): Promise<T> {
  const { gatehouse, url } = await connect(options);
  let ofDays: string | undefined;
  return work({
    send: async (id, { ifMatch, ...parts }) =>
      id === 'getOpenApi' ? fetchDocument(url) : gatehouse.send(id, parts as never, { ifMatch }),
    read: async (id, parts) => {
      const { data, response } = await gatehouse.send(id as 'getSource', parts as never).withResponse();
      return { body: data, etag: response.etag! };
    },
    waitForRun: ({ sourceId, id }, onProgress, signal) =>
      gatehouse.sources.runs.wait(sourceId, id, { pollMilliseconds, onProgress, signal }),
    unfinishedRun: 'The synchronization continues in the service.',
    // Days are shown as they are read.
    findTimeZone: async () => ofDays ?? findTimeZone(gatehouse),
    timeZoneForDays: async () => {
      ofDays ??= await timeZoneForDays(gatehouse);
      return ofDays;
    },
    notes: [],
  });
}

/** The one operation that needs no key, and that the client therefore does not have. */
async function fetchDocument(url: string): Promise<unknown> {
  const response = await fetch(new URL('/api/v1/openapi.json', url));
  return response.json();
}
