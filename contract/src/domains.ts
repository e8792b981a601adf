import type { SiteScheme } from './sites.ts';

/** How visitors reach a domain unless somebody says otherwise: browsers treat names of this machine as safe without a certificate. */
export function defaultScheme(domain: string): SiteScheme {
  return isThisMachine(domain) ? 'http' : 'https';
}

/** Whether only browsers on the machine itself reach a domain. */
export function isThisMachine(domain: string): boolean {
  return /^(?:.+\.)?localhost(?::\d+)?$|^127(?:\.\d+){3}(?::\d+)?$/.test(domain);
}

/** A domain without the port that goes without saying. */
export function withoutDefaultPort(domain: string, scheme: SiteScheme): string {
  return domain.replace(scheme === 'https' ? /:443$/ : /:80$/, '');
}
