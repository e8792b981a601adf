import { findTimeZone, timeZoneForDays } from '../member/site-time-zone.ts';
import { type ConnectionOptions, connect } from '../shared/connection.ts';
import type { SiteApi } from './site-api.ts';

/** Calls the service of an API key, for its site. */
export async function withRemoteApi<T>(
  options: ConnectionOptions,
  work: (api: SiteApi) => Promise<T>,
): Promise<T> {
  const { gatehouse, url } = await connect(options);
  let ofDays: string | undefined;
  return work({
    send: async (id, parts) =>
      id === 'getOpenApi' ? fetchDocument(url) : gatehouse.send(id, parts as never),
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
