import type { Site } from '@gatehouse/contract';
import { invalidRequest } from '../../base/api-error.ts';
import { originOf } from './site.ts';

/**
 * A site as visitors reach it at one of its addresses: `domain` and `scheme` are those of the address, so that links,
 * cookies and redirects stay on it. `hosts` are still all hosts of the site.
 */
export interface VisitedSite extends Site, SiteUse {
  /**
   * - `primary`: the primary host, or an address at which a site can be tried out. Members log in here.
   * - `further`: another host. A login at the primary host is valid here too.
   * - `redirect`: a host whose visits are redirected to the primary host.
   */
  readonly visitedAs: 'primary' | 'further' | 'redirect';
}

/** What a site uses. It is stored at the site, so that pages of a site without it run no statement for it. */
export interface SiteUse {
  /** Whether it has login providers, enabled or not. */
  readonly hasLoginProviders: boolean;
  /** Whether a member has ever added a passkey. */
  readonly hasPasskeys: boolean;
}

const usesNothing: SiteUse = { hasLoginProviders: false, hasPasskeys: false };

/** A site at the address that its `domain` and `scheme` name. */
export function atPrimary(site: Site, { hasLoginProviders, hasPasskeys } = usesNothing): VisitedSite {
  return { ...site, hasLoginProviders, hasPasskeys, visitedAs: 'primary' };
}

/**
 * A site at the host that a client of the API names, by default the primary one.
 * @param pointer where the request names the host
 * @throws {ApiError} `invalid_request`
 */
export function atNamedHost(site: Site, domain: string | undefined, pointer: string): VisitedSite {
  const name = domain?.toLowerCase();
  if (name === undefined || name === site.domain) return atPrimary(site);
  const host = site.hosts.find((each) => each.domain === name && !each.redirect);
  if (host) return { ...atPrimary(site), domain: name, scheme: host.scheme, visitedAs: 'further' };
  throw invalidRequest(pointer, `"${domain}" is not a host of the site, or a redirected one.`);
}

/** Whether members can carry a session to a host: it is a further host, and not redirected. */
export function isFurtherHost({ hosts }: Pick<Site, 'hosts'>, domain: string): boolean {
  return hosts.slice(1).some((host) => host.domain === domain && !host.redirect);
}

/** The origin on which members log in. For a primary address this is the address itself. */
export function primaryOriginOf(site: VisitedSite): string {
  const [primary] = site.hosts;
  return site.visitedAs === 'primary' || !primary ? originOf(site)! : originOf(primary)!;
}

/** The domain of the further host at which a site is visited; null at the primary host. */
export function furtherHostOf({ visitedAs, domain }: VisitedSite): string | null {
  return visitedAs === 'further' ? domain : null;
}

/** The domain by which access rules and sessions tell the hosts of a site apart. */
export function hostOf({ visitedAs, domain, hosts }: VisitedSite): string | null {
  return visitedAs === 'primary' ? (hosts[0]?.domain ?? null) : domain;
}
