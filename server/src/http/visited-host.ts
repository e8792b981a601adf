import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { single, type TrustedProxies } from './site-request.ts';

/**
 * At which host a visitor is. A proxy of ours may name it in `X-Forwarded-Host`; but through a proxy that lets headers
 * pass, that of the dashboard perhaps, anybody can. So the header counts where it names the host of the request itself, or
 * where the request came to an address that only a proxy uses: Traefik asks at the address of Gatehouse.
 */
export class VisitedHosts {
  readonly #proxies: TrustedProxies;
  readonly #dashboardName: string;

  /** @param publicUrl where operators find the dashboard and programs the API */
  constructor(proxies: TrustedProxies, publicUrl: string) {
    this.#proxies = proxies;
    this.#dashboardName = nameOf(new URL(publicUrl).host);
  }

  /** The host, with its port where it has one; undefined where the headers contradict each other. */
  hostOf(request: IncomingMessage): string | undefined {
    const { host, 'x-forwarded-host': forwarded } = request.headers;
    if (forwarded === undefined || !this.#proxies.sent(request)) return host;
    const named = single(forwarded);
    if (named === undefined || host === undefined || named === host) return host && named;
    return this.#isSame(host, named) || isAddressOfProxies(host) ? named : undefined;
  }

  /** Whether a request came to the host that the dashboard has for the world. A site may share it. */
  isDashboard({ headers: { host } }: IncomingMessage): boolean {
    return host !== undefined && nameOf(host) === this.#dashboardName && !isAddressOfProxies(host);
  }

  /** A port may get lost on the way, unless it is what tells a site from the dashboard. */
  #isSame(host: string, named: string): boolean {
    const name = nameOf(host);
    if (name !== nameOf(named)) return false;
    return name !== this.#dashboardName || withoutUsualPort(host) === withoutUsualPort(named);
  }
}

/** Names that the internet does not know: of a container, a service, a machine in the house (RFC 6761, 6762, 8375). */
const internalName = /^[^.]*$|\.(?:internal|local|localhost|lan|home|home\.arpa|corp|private|svc|test)$/;

/**
 * Whether a host is an address inside, with its port. Without a port it may be what a visitor wrote: nginx leaves the port
 * out of `$host`.
 */
function isAddressOfProxies(host: string): boolean {
  if (!/:\d+$/.test(host)) return false;
  const name = nameOf(host);
  return isIP(name) !== 0 || name.startsWith('[') || internalName.test(name);
}

/** Without its port, and without the dot that a name may end with. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, '');
}

function withoutUsualPort(host: string): string {
  return host.toLowerCase().replace(/\.?(?::(?:80|443)?)?$/, '');
}
