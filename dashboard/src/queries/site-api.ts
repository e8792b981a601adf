import type { Gatehouse } from '@gatehouse/client';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useGatehouse } from '../session/site.ts';
import { type SiteKeys, useSiteKeys } from './keys.ts';

export interface SiteApi {
  readonly gatehouse: Gatehouse;
  /** The keys of what is cached of the site. */
  readonly keys: SiteKeys;
  readonly client: QueryClient;
}

/** What the data of the site is read and changed with. */
export function useSiteApi(): SiteApi {
  return { gatehouse: useGatehouse(), keys: useSiteKeys(), client: useQueryClient() };
}
