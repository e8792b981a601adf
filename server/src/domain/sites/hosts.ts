import type { SiteHost, UpdateSite } from '@gatehouse/contract';
import { invalidRequest } from '../../base/api-error.ts';
import { checkDomain, defaultScheme, type SiteRow, withoutDefaultPort } from './site.ts';

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
  throw invalidRequest(
    `/hosts/${twice}/domain`,
    `${names[twice]} occurs twice. Each host name must occur once.`,
  );
}

/** The columns of a site's row for its hosts. */
export function toHostColumns([primary, ...further]: readonly SiteHost[]): Pick<
  SiteRow,
  'domain' | 'further_hosts'
> {
  return { domain: primary?.domain ?? null, further_hosts: JSON.stringify(further) };
}

/** The hosts that another list no longer has in the same form. */
export function hostsWithout(before: readonly SiteHost[], after: readonly SiteHost[]): SiteHost[] {
  const kept = new Set(after.map((host) => JSON.stringify(host)));
  return before.filter((host) => !kept.has(JSON.stringify(host)));
}

/** A domain without its port. */
export function hostNameOf(domain: string): string {
  return domain.replace(/:\d+$/, '');
}
