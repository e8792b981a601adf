import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isThisMachine } from '../sites/site.ts';
import { single, type TrustedProxies } from './site-request.ts';

/**
 * At which host a visitor is. A proxy of ours may name it in `X-Forwarded-Host`; but through a proxy that lets headers
 * pass, that of the dashboard perhaps, anybody can. So the header counts where it names the host of the request itself, or
 * where the request came to an address that only a proxy uses: Traefik asks at the address of Gatehouse.
 */
export class VisitedHosts {
  readonly #proxies: TrustedProxies;
  readonly #dashboardName: string;
  /** A proxy that asks has the same host every time. */
  #lastHost = readHost('');

  /** @param publicUrl where operators find the dashboard and programs the API */
  constructor(proxies: TrustedProxies, publicUrl: string) {
    this.#proxies = proxies;
    this.#dashboardName = readHost(new URL(publicUrl).host).name;
  }

  /** The host, with its port where it has one; undefined where the headers contradict each other. */
  hostOf(request: IncomingMessage): string | undefined {
    const { host, 'x-forwarded-host': forwarded } = request.headers;
    if (forwarded === undefined || !this.#proxies.sent(request)) return host;
    const named = single(forwarded);
    if (named === undefined || host === undefined || named === host) return host && named;
    return this.#isForProxies(this.#read(host)) || this.#isSame(host, named) ? named : undefined;
  }

  /** Whether a request came to the host that the dashboard has for the world. A site may share it. */
  isDashboard({ headers: { host } }: IncomingMessage): boolean {
    if (host === undefined) return false;
    const read = this.#read(host);
    return read.name === this.#dashboardName && !this.#isForProxies(read);
  }

  /** The dashboard itself may be at a name that only a network inside knows: then visitors come there as well. */
  #isForProxies({ host, name, inside }: Host): boolean {
    return inside && (name !== this.#dashboardName || isThisMachine(host.toLowerCase()));
  }

  /** A port may get lost on the way, unless it is what tells a site from the dashboard. */
  #isSame(host: string, named: string): boolean {
    const [one, other] = [this.#read(host), readHost(named)];
    return one.name === other.name && (one.name !== this.#dashboardName || one.port === other.port);
  }

  #read(host: string): Host {
    if (this.#lastHost.host !== host) this.#lastHost = readHost(host);
    return this.#lastHost;
  }
}

interface Host {
  readonly host: string;
  /** Without the port, and without the dot that a name may end with. */
  readonly name: string;
  /** Empty where it goes without saying. */
  readonly port: string;
  /**
   * Whether it is an address inside, with its port. Without a port it may be what a visitor wrote: nginx leaves the port
   * out of `$host`.
   */
  readonly inside: boolean;
}

/** Names that the internet does not know: of a container, a service, a machine in the house (RFC 6761, 6762, 8375). */
const internalName = /^[^.]*$|\.(?:internal|local|localhost|lan|home|home\.arpa|corp|private|svc|test)$/;

function readHost(host: string): Host {
  const [, name = '', port = ''] = /^(.*?)\.?(?::(\d*))?$/s.exec(host.toLowerCase())!;
  const isInternal = isIP(name) !== 0 || name.startsWith('[') || internalName.test(name);
  return { host, name, port: port === '80' || port === '443' ? '' : port, inside: port !== '' && isInternal };
}
