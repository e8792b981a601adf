import type { SiteLinks } from '@gatehouse/contract';
import { isThisMachine } from '@gatehouse/contract/domains';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { maxSiteLinkLength } from '@gatehouse/contract/limits';
import { notHttpsMessage } from '@gatehouse/contract/url-problems';
import { invalidRequest } from '../../base/api-error.ts';

/** The links of a site that has set none. */
export const noLinks: SiteLinks = { contact: null, upgrade: null, imprint: null, privacy: null };
const names = Object.keys(noLinks) as (keyof SiteLinks)[];

/**
 * The links as they are stored and shown: plain ASCII, so that no character can hide where they lead.
 * @throws {ApiError} `invalid_request`
 */
export function checkLinks(links: SiteLinks): SiteLinks {
  const entries = names.map((name) => [name, checkLink(name, links[name])]);
  return Object.fromEntries(entries) as SiteLinks;
}

/** The links that are set, in a line; null if none is. */
export function describeLinks(links: SiteLinks): string | null {
  const set = names.filter((name) => links[name] !== null);
  return set.map((name) => `${name}: ${links[name]}`).join(', ') || null;
}

function checkLink(name: keyof SiteLinks, submitted: string | null): string | null {
  if (submitted === null) return null;
  const pointer = `/links/${name}`;
  const text = submitted.trim();
  if (unclear.test(text)) {
    throw invalidRequest(
      pointer,
      'The URL contains spaces, line breaks or backslashes. Remove or encode them.',
    );
  }
  const isEmail = name === 'contact' && /^mailto:/i.test(text);
  const link = isEmail ? readEmailLink(text, pointer) : readUrl(text, pointer);
  if (link.length <= maxSiteLinkLength) return link;
  throw invalidRequest(pointer, `The URL is longer than ${maxSiteLinkLength} characters. Use a shorter one.`);
}

/** Tabs and line breaks, which the URL standard removes, and backslashes, which it reads as slashes. */
const unclear = /[\p{Cc}\s\\]/u;

function readUrl(text: string, pointer: string): string {
  const url = URL.parse(text);
  // The standard reads `https:/host` and `https:host` too (URL Standard, section 4.4).
  if (url === null || !/^\w+:\/\/[^/?#]/.test(text)) {
    const also = pointer.endsWith('/contact') ? ' or mailto:office@example.org' : '';
    throw invalidRequest(
      pointer,
      `This is not a complete URL. Use one such as https://www.example.org/page${also}.`,
    );
  }
  if (url.hostname.split('.').includes('') || isDisguisedIp(url.hostname, text)) {
    throw invalidRequest(
      pointer,
      'The host of the URL is a number, or has two periods in a row or one at the end. Use the name of the website.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url.host))) {
    throw invalidRequest(pointer, `${notHttpsMessage} Use a URL with https.`);
  }
  if (/^\w+:\/\/[^/?#]*@/.test(text)) {
    throw invalidRequest(
      pointer,
      'The URL contains a user name or a password. Remove everything up to the @.',
    );
  }
  return url.href;
}

/** Whether a host is an IP address in another form, such as one number (URL Standard, section 3.5). */
function isDisguisedIp(hostname: string, text: string): boolean {
  return /^[\d.]+$/.test(hostname) && !text.includes(`//${hostname}`);
}

/** A link to one email address, without headers such as a subject, which could add recipients (RFC 6068). */
function readEmailLink(text: string, pointer: string): string {
  const [, local = '', domain = ''] = /^mailto:([^?#&%@/]+)@([^?#&%@/]+)$/i.exec(text) ?? [];
  const email = normalizeEmail(`${local}@${domain}`);
  if (email !== null) return `mailto:${email}`;
  throw invalidRequest(
    pointer,
    'This is not a link to an email address. Use exactly one, such as mailto:office@example.org, and nothing after it.',
  );
}
