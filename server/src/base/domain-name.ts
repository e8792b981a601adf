import { domainToASCII } from 'node:url';

// The conversion reads its input as the host of an address: a slash or a percent sign in it would be taken as syntax.
const foreignAscii = /[^\p{L}\p{N}\p{M}.\-\u3002\uff0e\uff61\u00b7\u30fb\u200c\u200d]/u;
const onlyAscii = /^[\x21-\x7e]*$/;

/** A domain name in lower-case ASCII form (UTS 46); null where it has none. Converting twice changes nothing. */
export function toAsciiDomain(domain: string): string | null {
  if (onlyAscii.test(domain)) return domain.toLowerCase();
  if (foreignAscii.test(domain)) return null;
  return domainToASCII(domain) || null;
}
