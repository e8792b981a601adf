import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { Site } from '@gatehouse/contract';
import { type Realm, realmOf } from '../sites/realm.ts';

/** Which peers are proxies of ours, whose word on a request is believed. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #known = new WeakMap<object, boolean>();

  /** @param networks addresses and CIDRs, as `GATEHOUSE_TRUSTED_PROXIES` lists them */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      this.#list.addSubnet(
        address,
        bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits),
        family,
      );
    }
  }

  sent({ socket }: IncomingMessage): boolean {
    let trusted = this.#known.get(socket);
    if (trusted === undefined) {
      trusted = this.#trusts(socket.remoteAddress ?? '');
      this.#known.set(socket, trusted);
    }
    return trusted;
  }

  #trusts(address: string): boolean {
    const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
    return plain !== '' && this.#list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}

export type CookieName = keyof Realm['cookies'];

/** `__Host-` binds a cookie to its host and to https (RFC 6265bis, section 4.1.3.2); a site without https cannot have it. */
export function cookieName(name: CookieName, site: Pick<Site, 'scheme' | 'slug'>): string {
  return `${site.scheme === 'https' ? '__Host-' : ''}${realmOf(site).cookies[name]}`;
}

/** The value of one of our cookies. One that is sent twice could be anybody's: it counts as none. */
export function readCookie(request: IncomingMessage, name: CookieName, site: Site): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  const wanted = `${cookieName(name, site)}=`;
  let value: string | undefined;
  for (const part of header.split(';')) {
    const cookie = part.trim();
    if (!cookie.startsWith(wanted)) continue;
    if (value !== undefined) return undefined;
    value = cookie.slice(wanted.length);
  }
  return value;
}

/** A `Set-Cookie` header; without a value the cookie is taken back. */
export function setCookie(name: CookieName, site: Site, value: string | null, maxAgeSeconds: number): string {
  const secure = site.scheme === 'https' ? '; Secure' : '';
  const lifetime = value === null ? 0 : maxAgeSeconds;
  return `${cookieName(name, site)}=${value ?? ''}; Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`;
}

/** A visitor who goes to a page can be led to log in; a program that asks for data cannot. */
export function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  const { accept } = headers;
  return accept === undefined || /text\/html|\*\/\*/.test(accept);
}

/** A header that must be there once. Two of it may have come from two senders: that is none. */
export function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && !header.includes(',') ? header.trim() : undefined;
}
