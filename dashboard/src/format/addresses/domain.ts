import type { SiteScheme } from '@gatehouse/client';
import { withoutDefaultPort } from '@gatehouse/contract/domains';
import { displayAddress } from './email-address.ts';

/** The result of parsing a domain as typed or pasted. */
export interface TypedDomain {
  /** In readable form: in lower case and in Unicode. */
  readonly domain: string;
  /** The scheme before it; undefined if there was none. */
  readonly scheme: SiteScheme | undefined;
}

/**
 * Parses `https://Club.example.org/`, ` Club.example.org `, `club.example.org/members` and the like. Any other text
 * is returned unchanged, and the server reports what is wrong with it.
 */
export function readDomain(typed: string): TypedDomain {
  const text = typed.trim();
  const [, scheme, rest = ''] = /^(?:(https?):\/*)?(.*)$/is.exec(text)!;
  const host = toHost(rest);
  if (host === undefined) return { domain: text, scheme: undefined };
  if (scheme === undefined) return { domain: displayDomain(host), scheme };
  const known = scheme.toLowerCase() as SiteScheme;
  return { domain: displayDomain(withoutDefaultPort(host, known)), scheme: known };
}

/** Parses the domain of email addresses, also from a whole address or a link. */
export function readEmailDomain(typed: string): string {
  return readDomain(typed.slice(typed.lastIndexOf('@') + 1)).domain;
}

/** A domain in Unicode. A confusable domain stays in ASCII. */
export function displayDomain(ascii: string): string {
  const [host = '', port] = ascii.split(':');
  return withPort(displayAddress(host), port);
}

/** Whether a text could be a domain. The server validates it fully. */
export function isDomain(typed: string): boolean {
  return toHost(typed.trim()) !== undefined;
}

/** A domain in the form that the server stores. */
export function toAsciiDomain(typed: string): string {
  return toHost(typed.trim()) ?? typed.trim();
}

/** The host with its port, in ASCII; undefined if there is none. */
function toHost(text: string): string | undefined {
  if (text === '' || /[\s@\\]/.test(text)) return undefined;
  const [, host = '', port] = /^([^/?#:]*)(?::(\d{1,5}))?(?:[/?#].*)?$/s.exec(text) ?? [];
  if (host === '' || host.includes('%')) return undefined;
  const ascii = URL.parse(`http://${host.replace(/\.$/, '')}`)?.hostname;
  return ascii && withPort(ascii, port);
}

function withPort(host: string, port: string | undefined): string {
  return port === undefined ? host : `${host}:${port}`;
}
