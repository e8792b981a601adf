import { isIP } from 'node:net';
import { notHttpsMessage, notPublicMessage } from '@gatehouse/contract/url-problems';
import type { RejectionReason } from './outgoing-error.ts';
import { isReachable } from './public-networks.ts';

export interface OutgoingSettings {
  /** Networks that may be reached although their addresses are not public: CIDRs and addresses. */
  readonly allowedNetworks: readonly string[];
  /** Whether http is allowed beside https: for development, while Gatehouse runs on this machine only. */
  readonly allowsHttp: boolean;
}

/** A URL that may be requested, without fragment, or a sentence that says why not and what to do. */
export type OutgoingUrl =
  | { readonly url: URL; readonly problem?: undefined }
  | { readonly reason: RejectionReason; readonly problem: string };

const maxUrlLength = 8_000;

/**
 * Checks a URL without sending anything, for a form and before each request. The addresses that a name leads to are
 * checked when it is connected to.
 */
export function readOutgoingUrl(text: string, settings: OutgoingSettings): OutgoingUrl {
  if (text.length > maxUrlLength) {
    return notAllowed(`The URL is longer than ${maxUrlLength} characters. Use a shorter one.`);
  }
  if (unclear.test(text)) return notAllowed(unclearProblem);
  const url = URL.parse(text);
  // The standard reads `https:/host` and `https:host` too, which others read as paths (URL Standard, section 4.4).
  if (url === null || !/^\w+:\/\/[^/?#]/.test(text)) return notAllowed(incomplete);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && settings.allowsHttp)) {
    return notAllowed(`${notHttpsMessage} Use a URL with https.`);
  }
  if (/^\w+:\/\/[^/?#]*@/.test(text)) {
    return notAllowed('The URL contains a user name or a password. Remove everything up to the @.');
  }
  url.hash = '';
  // With a dot at its end, a name is the same name, but other programs may not recognize it.
  if (/[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1);
  return checkHost(url, settings);
}

/** Tabs and line breaks, which the standard removes, and backslashes, which it reads as slashes. */
const unclear = /[\p{Cc}\s\\]/u;

const incomplete = 'This is not a complete URL. Use one such as https://example.org/list.csv.';
const unclearProblem = 'The URL contains spaces, line breaks or backslashes. Remove or encode them.';

function checkHost(url: URL, { allowedNetworks }: OutgoingSettings): OutgoingUrl {
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isName(host)) {
    return notAllowed('The name of the host is not valid. Use letters, digits, hyphens and single dots.');
  }
  if (blockedPorts.has(url.port)) {
    return notAllowed(`Port ${url.port} is reserved for a service other than HTTP. Use another port.`);
  }
  if (isAddress && !isReachable(host, allowedNetworks)) {
    return { reason: 'address_not_allowed', problem: addressProblem(host) };
  }
  return { url };
}

/** The name or IP address in a URL, an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isName(host: string): boolean {
  return /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/.test(host) && host.length <= 253;
}

/** What to say about an address that must not be connected to, or about the name that leads to it. */
export function addressProblem(host: string): string {
  const problem =
    isIP(host) === 0
      ? `${host} leads to an IP address that is not public`
      : `${host} is not a public IP address`;
  return `${problem}. ${notPublicMessage}`;
}

function notAllowed(problem: string): OutgoingUrl {
  return { reason: 'url_not_allowed', problem };
}

/**
 * Ports of services that could take an HTTP request for a command, such as mail servers (Fetch Standard, section 2.9,
 * "port blocking"), as text as in a URL.
 */
export const blockedPorts: ReadonlySet<string> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
  135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995
  1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(
    /\s+/,
  ),
);
