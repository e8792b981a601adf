import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isThisMachine } from '../../../domain/sites/site.ts';
import { single, type TrustedProxies } from './site-request.ts';

/**
 * Determines the host that a visitor visits. A trusted proxy may name it in `X-Forwarded-Host`; but anyone can set
 * this header through a proxy that passes headers on, such as the dashboard's. So the header is used only if it names
 * the host of the request itself, or if the request came to an address that only proxies use: Traefik sends its
 * requests to the address of Gatehouse.
 */
export class VisitedHosts {
  readonly #proxies: TrustedProxies;
  readonly #dashboardName: string;
  /** A cache of one: a proxy sends the same host every time. */
  #lastHost = readHost('');

  /** @param publicUrl the URL of the dashboard and the API */
  constructor(proxies: TrustedProxies, publicUrl: string) {
    this.#proxies = proxies;
    this.#dashboardName = readHost(new URL(publicUrl).host).name;
  }

  /** The host, with its port if it has one; undefined if the headers contradict each other. */
  hostOf(request: IncomingMessage): string | undefined {
    const { host, 'x-forwarded-host': forwarded } = request.headers;
    if (forwarded === undefined || !this.#proxies.sent(request)) return host;
    const named = single(forwarded);
    if (named === undefined || host === undefined || named === host) return host && named;
    return this.#isForProxies(this.#read(host)) || this.#isSame(host, named) ? named : undefined;
  }

  /** Whether a request came to the public host of the dashboard. A site may share it. */
  isDashboard({ headers: { host } }: IncomingMessage): boolean {
    if (host === undefined) return false;
    const read = this.#read(host);
    return read.name === this.#dashboardName && !this.#isForProxies(read);
  }

  /** The dashboard itself may have an internal name; visitors then use that name too. */
  #isForProxies({ host, name, inside }: Host): boolean {
    return inside && (name !== this.#dashboardName || isThisMachine(host.toLowerCase()));
  }

  /** Proxies may drop the port. It matters only where it distinguishes a site from the dashboard. */
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
  /** Without the port and without a trailing dot. */
  readonly name: string;
  /** Empty for a default port. */
  readonly port: string;
  /**
   * Whether it is an internal address with a port. Without a port the host may come from the visitor: nginx omits the
   * port in `$host`.
   */
  readonly inside: boolean;
}

/**
 * Names that do not exist on the internet: of a container, a service, a machine in a local network (RFC 6761, 6762,
 * 8375).
 */
const internalName = /^[^.]*$|\.(?:internal|local|localhost|lan|home|home\.arpa|corp|private|svc|test)$/;

function readHost(host: string): Host {
  const [, name = '', port = ''] = /^(.*?)\.?(?::(\d*))?$/s.exec(host.toLowerCase())!;
  const isInternal = isIP(name) !== 0 || name.startsWith('[') || internalName.test(name);
  return { host, name, port: port === '80' || port === '443' ? '' : port, inside: port !== '' && isInternal };
}
