import type { Site } from '@gatehouse/client';
import { toUrl } from './pasted-url.ts';

/** A URL of a site. */
export interface SiteTarget {
  /** As a browser requests it, with the query. */
  readonly path: string;
  /** The domain of one of its hosts; undefined if only a path was entered. */
  readonly host: string | undefined;
}

/** Reads a path, or a whole URL of one of the hosts of the site. For anything else, says what is wrong. */
export function readSiteUrl(typed: string, hosts: Site['hosts']): SiteTarget | 'no_path' | 'other_host' {
  const url = toUrl(typed);
  if (!url) return typed.trim().startsWith('/') ? { path: typed.trim(), host: undefined } : 'no_path';
  const path = url.pathname + url.search;
  if (hosts.length === 0) return { path, host: undefined };
  const host = hosts.find(({ domain }) => domain === url.host || domain === url.hostname);
  if (!host) return 'other_host';
  // Visits are redirected to the primary host.
  return { path, host: host.redirect ? hosts[0]!.domain : host.domain };
}
