import type { SiteScheme } from '@gatehouse/client';
import { withoutDefaultPort } from '@gatehouse/contract/domains';
import { shownAddress } from './address.ts';

/** A domain as somebody typed or pasted it, understood. */
export interface TypedDomain {
  /** As people read it: in lower case and in its own letters. */
  readonly domain: string;
  /** What stood before it; undefined where nothing did. */
  readonly scheme: SiteScheme | undefined;
}

/**
 * Understands `https://Club.example.org/`, ` Club.example.org `, `club.example.org/members` and the like. What is none
 * of these stays as it was typed: the service says what is wrong with it.
 */
export function readDomain(typed: string): TypedDomain {
  const text = typed.trim();
  const [, scheme, rest = ''] = /^(?:(https?):\/*)?(.*)$/is.exec(text)!;
  const host = toHost(rest);
  if (host === undefined) return { domain: text, scheme: undefined };
  if (scheme === undefined) return { domain: shownDomain(host), scheme };
  const known = scheme.toLowerCase() as SiteScheme;
  return { domain: shownDomain(withoutDefaultPort(host, known)), scheme: known };
}

/** Understands what stands after the `@` of addresses, also from a whole address or a link. */
export function readMailDomain(typed: string): string {
  return readDomain(typed.slice(typed.lastIndexOf('@') + 1)).domain;
}

/** A domain as people read it. One that could be taken for another stays in ASCII. */
export function shownDomain(ascii: string): string {
  const [host = '', port] = ascii.split(':');
  return withPort(shownAddress(host), port);
}

/** Whether a text could be a domain; the service looks closer. */
export function isDomain(typed: string): boolean {
  return toHost(typed.trim()) !== undefined;
}

/** A domain as the service has it. */
export function toAsciiDomain(typed: string): string {
  return toHost(typed.trim()) ?? typed.trim();
}

/** The host with its port, in ASCII; undefined for what is none. */
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
