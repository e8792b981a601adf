import type { IncomingMessage } from 'node:http';
import proxyAddress, { compile } from '@fastify/proxy-addr';
import type { Site } from '@gatehouse/contract';
import { memoized } from '../../../base/caches/memoized.ts';
import { type CookieName, cookieName } from '../credentials/cookie-names.ts';

/** The maximum number of remembered addresses. Only a few proxies send requests to the gate. */
const maxAddresses = 1_000;
/** Longer headers are rare, and would take much memory. */
const maxCachedLength = 100;

/** Decides which peers are trusted proxies, whose forwarding headers are used. */
export class TrustedProxies {
  /** Whether an address belongs to a trusted proxy. */
  readonly trusts: (address: string) => boolean;
  /** The address of the visitor in an `X-Forwarded-For` of a trusted proxy. */
  readonly #clientIn: (forwardedFor: string) => string | undefined;

  /** @param networks addresses and CIDRs, as in `GATEHOUSE_TRUSTED_PROXIES` */
  constructor(networks: readonly string[]) {
    const isListed = compile([...networks]);
    this.trusts = memoized((address) => isListed(address, 0), maxAddresses);
    this.#clientIn = memoized((forwardedFor) => this.#readClient(forwardedFor), maxAddresses);
  }

  /**
   * The address of the visitor: the last one in `X-Forwarded-For` that is not a trusted proxy. Undefined if the proxy
   * names none but its own or that of another proxy.
   */
  ipAddressOf(request: IncomingMessage): string | undefined {
    const forwarded = request.headers['x-forwarded-for'];
    if (forwarded === undefined) return undefined;
    if (!this.sent(request)) return request.socket.remoteAddress;
    const header = String(forwarded);
    return header.length > maxCachedLength ? this.#readClient(header) : this.#clientIn(header);
  }

  #readClient(forwardedFor: string): string | undefined {
    const sentByProxy = { headers: { 'x-forwarded-for': forwardedFor }, socket: {} } as unknown;
    const trusts = (address: string, index: number) => index === 0 || this.trusts(address);
    const address = proxyAddress(sentByProxy as IncomingMessage, trusts);
    return address === undefined || this.trusts(address) ? undefined : address;
  }

  sent({ socket }: IncomingMessage): boolean {
    return this.trusts(socket.remoteAddress ?? '');
  }

  /** Whether a request is from the proxy of a site: that of the dashboard names no host. */
  namesHost(request: IncomingMessage): boolean {
    return this.sent(request) && request.headers['x-forwarded-host'] !== undefined;
  }
}

/** The value of one of our cookies. A cookie sent twice may come from another site, so it is ignored. */
export function readCookie(request: IncomingMessage, name: CookieName, site: Site): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  const wanted = `${cookieName(name, site)}=`;
  let value: string | undefined;
  for (const part of header.split(';')) {
    // Only these two characters: browsers keep others as a part of the name, which then needs no secure origin.
    const cookie = part.replace(/^[ \t]+|[ \t]+$/g, '');
    if (!cookie.startsWith(wanted)) continue;
    if (value !== undefined) return undefined;
    value = cookie.slice(wanted.length);
  }
  return value;
}

/** A `Set-Cookie` header; without a value it deletes the cookie. */
export function cookieHeader(
  name: CookieName,
  site: Site,
  value: string | null,
  maxAgeSeconds: number,
): string {
  const secure = site.scheme === 'https' ? '; Secure' : '';
  const lifetime = value === null ? 0 : maxAgeSeconds;
  return `${cookieName(name, site)}=${value ?? ''}; Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`;
}

/** The value of a header that must occur once. Two values may come from two senders, so they are ignored. */
export function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && !header.includes(',') ? header.trim() : undefined;
}

/** Headers that choose another method, in every spelling that programs read, and those that open a WebSocket. */
const changingHeader = /^(?:x.http.method(?:.override)?|x.method.override|upgrade|sec.websocket..*)$/;

/** Whether a program may treat a request as one with another method. */
export function hasChangingHeader(headers: IncomingMessage['headers']): boolean {
  return Object.keys(headers).some((name) => changingHeader.test(name));
}

/** Headers that tell a program which part of a path is its own, in every spelling: gunicorn reads `SCRIPT_NAME`. */
const pathHeader = /^(?:x.)?(?:script.name|path.info)$|^daphne.root.path$/;

/** Whether a program may read another path than that of the request. No browser sends such a header. */
export function hasPathHeader(headers: IncomingMessage['headers']): boolean {
  for (const name in headers) if (pathHeader.test(name)) return true;
  return false;
}
