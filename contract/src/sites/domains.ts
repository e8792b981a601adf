import type { SiteScheme } from './sites.ts';

/** The default scheme of a domain: browsers treat names of the local machine as secure without a certificate. */
export function defaultScheme(domain: string): SiteScheme {
  return isThisMachine(domain) ? 'http' : 'https';
}

/** Whether a domain can be reached only from the machine itself. */
export function isThisMachine(domain: string): boolean {
  return /^(?:.+\.)?localhost(?::\d+)?$|^127(?:\.\d+){3}(?::\d+)?$/.test(domain);
}

/** A domain without the default port of the scheme. */
export function withoutDefaultPort(domain: string, scheme: SiteScheme): string {
  return domain.replace(scheme === 'https' ? /:443$/ : /:80$/, '');
}

// The conversion reads its input as the host of a URL: a slash or a percent sign would be read as syntax.
const foreignAscii = /[^\p{L}\p{N}\p{M}.\-\u3002\uff0e\uff61\u00b7\u30fb\u200c\u200d]/u;
const onlyAscii = /^[\x21-\x7e]*$/;

/** A domain name in lowercase ASCII form (UTS 46); null if it has none. Idempotent. */
export function toAsciiDomain(domain: string): string | null {
  if (onlyAscii.test(domain)) return domain.toLowerCase();
  if (foreignAscii.test(domain)) return null;
  return URL.parse(`http://${domain}`)?.hostname || null;
}
