import type { IncomingMessage } from 'node:http';
import type { Site } from '@gatehouse/contract';
import type { SiteAccess } from '../../domain/access-rules/site-access.ts';
import { isThisMachine } from '../../domain/sites/site.ts';
import type { VisitedSite } from '../../domain/sites/visited-site.ts';
import type { TrustedProxies } from '../shared/requests/site-request.ts';
import type { VisitedHosts } from '../shared/requests/visited-host.ts';

export interface ServedSiteParts {
  readonly siteAccess: SiteAccess;
  readonly visitedHosts: VisitedHosts;
  readonly proxies: TrustedProxies;
}

/**
 * The site that this process serves, at its own domain, and on the local machine. Any other host has no pages: its name
 * may be one that someone else has pointed to this machine (DNS rebinding), and it would appear in login links.
 */
export class ServedSite {
  readonly #slug: string;
  readonly #parts: ServedSiteParts;

  constructor(slug: string, parts: ServedSiteParts) {
    this.#slug = slug;
    this.#parts = parts;
  }

  /** The site as it is reached by a request; undefined for another host. @throws {StoreUnavailable} */
  async at(request: IncomingMessage): Promise<VisitedSite | undefined> {
    const { siteAccess, visitedHosts } = this.#parts;
    const host = visitedHosts.hostOf(request);
    if (host === undefined) return undefined;
    const site = await siteAccess.siteAt(host);
    if (site?.slug === this.#slug) return site;
    if (!isLocalHost(host, request.socket.localPort)) return undefined;
    const served = await siteAccess.siteNamed(this.#slug);
    if (!served || !this.#allowsLocalHost(served, request)) return undefined;
    return siteAccess.siteAtOrigin(served.id, `http://${host.toLowerCase()}`);
  }

  /** A site on the internet is reached at a local address only by programs of this machine, and not through a proxy. */
  #allowsLocalHost({ domain }: Site, request: IncomingMessage): boolean {
    if (domain === null || isThisMachine(domain)) return true;
    return isLoopback(request.socket.remoteAddress ?? '') && !this.#parts.proxies.sent(request);
  }
}

function isLocalHost(host: string, localPort: number | undefined): boolean {
  const [, port = '80'] = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host) ?? [undefined, ''];
  return port === String(localPort);
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address);
}
