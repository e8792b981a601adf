import type { SiteHost, UpdateSite } from '@gatehouse/contract';
import { invalidRequest } from '../../base/api-error.ts';
import { checkDomain, defaultScheme, isThisMachine, type StoredSite, withoutDefaultPort } from './site.ts';

type SubmittedHosts = NonNullable<UpdateSite['hosts']>;

/**
 * Validates all hosts of a site, the primary one first. Browsers send a cookie to every port of a host, so a host name
 * occurs once. @throws {ApiError} `invalid_request`
 */
export function checkHosts(submitted: SubmittedHosts): SiteHost[] {
  const hosts = submitted.map((host, index) => {
    const domain = checkDomain(host.domain, `/hosts/${index}/domain`);
    const scheme = host.scheme ?? defaultScheme(domain);
    return { domain: withoutDefaultPort(domain, scheme), scheme, redirect: host.redirect === true };
  });
  if (hosts[0]?.redirect) {
    throw invalidRequest(
      '/hosts/0/redirect',
      'The first host is the primary host, which cannot be redirected.',
    );
  }
  const names = hosts.map(({ domain }) => hostNameOf(domain));
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice === -1) return hosts;
  throw invalidRequest(`/hosts/${twice}/domain`, `${names[twice]} occurs twice. Each host must occur once.`);
}

/** The hosts of a site as they are stored. */
export function storedHosts([primary, ...furtherHosts]: readonly SiteHost[]): Pick<
  StoredSite,
  'domain' | 'furtherHosts'
> {
  return { domain: primary?.domain ?? null, furtherHosts };
}

/** The hosts that another list no longer has in the same form. */
export function hostsWithout(before: readonly SiteHost[], after: readonly SiteHost[]): SiteHost[] {
  const unchanged = new Set(after.map((host) => JSON.stringify(host)));
  return before.filter((host) => !unchanged.has(JSON.stringify(host)));
}

/** A domain without its port. */
export function hostNameOf(domain: string): string {
  return domain.replace(/:\d+$/, '');
}

/**
 * The name that a domain reserves for its site: the host without its port and without `www.`, however often that is
 * repeated. On the local machine sites differ by port, and `www.` has no meaning.
 */
export function bareNameOf(domain: string): string {
  return isThisMachine(domain) ? domain : hostNameOf(domain).replace(/^(?:www\.)+/, '');
}

/** The same domain with `www.`, or without it. */
export function counterpartOf(domain: string): string {
  return domain.startsWith(www) ? domain.slice(www.length) : www + domain;
}

const www = 'www.';
