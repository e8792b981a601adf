import type { Site } from '@gatehouse/contract';
import type { Queries } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { bareNameOf, counterpartOf, hostNameOf } from './hosts.ts';
import { isThisMachine, type StoredSite, toSite, withoutDefaultPort } from './site.ts';
import {
  selectOldestSites,
  selectOperatorTenant,
  selectSite,
  selectSiteBySlug,
  selectSitesWithName,
} from './site-store.ts';
import { atPrimary, type VisitedSite } from './visited-site.ts';

const maxHostLength = 300;
const defaultPort = /:(?:80|443)$/;

/**
 * Finds the site with the host in a `Host` header: `club.example.org`, with or without a port. A host that differs from
 * the primary host of a site only by `www.` redirects to it.
 */
export async function findSiteByHost(db: Queries, host: string): Promise<VisitedSite | undefined> {
  if (host.length > maxHostLength) return undefined;
  const name = host.toLowerCase();
  const withoutPort = name.replace(defaultPort, '');
  const counterpart = counterpartOf(withoutPort);
  const rows = await selectSitesWithName(db, bareNameOf(withoutPort), [name, withoutPort, counterpart]);
  for (const domain of [name, withoutPort]) {
    const row = rows.find((each) => hasHost(each, domain));
    if (row) return atHost(row, domain);
  }
  const redirected = rows.find((row) => row.domain === counterpart);
  return redirected && atCounterpart(db, redirected, withoutPort);
}

function hasHost(row: StoredSite, domain: string): boolean {
  return row.domain === domain || row.furtherHosts.some((host) => host.domain === domain);
}

function atHost(row: StoredSite, domain: string): VisitedSite {
  const site = toSite(row);
  const host = site.hosts.find((each) => each.domain === domain)!;
  if (domain === site.domain) return atPrimary(site, row);
  const visitedAs = host.redirect ? 'redirect' : 'further';
  return { ...atAddress(row, domain, host.scheme), visitedAs };
}

/** A domain that differs from the primary host of a site only by `www.`, and is no host itself. */
async function atCounterpart(db: Queries, row: StoredSite, domain: string): Promise<VisitedSite | undefined> {
  const site = toSite(row);
  if ([domain, site.domain!].some(isThisMachine)) return undefined;
  const tenant = await selectOperatorTenant(db);
  if (tenant?.operatorHost && hostNameOf(tenant.operatorHost) === hostNameOf(domain)) return undefined;
  return { ...atPrimary(site, row), domain, visitedAs: 'redirect' };
}

/**
 * Finds the site whose pages a host serves: the site with that host or, at the public URL, a site that can be tried out
 * there.
 *
 * On the local machine this is the oldest site, in addition to its own domain. Elsewhere it is the only site, while it
 * has no domain: the host of the dashboard must never serve a site whose owner does not own all sites.
 */
export async function findSiteOfPages(db: Queries, host: string): Promise<VisitedSite | undefined> {
  const site = await findSiteByHost(db, host);
  if (site || host.length > maxHostLength) return site;
  const tenant = await selectOperatorTenant(db);
  const name = tenant && withoutDefaultPort(host.toLowerCase(), tenant.scheme);
  if (!name || name !== tenant.operatorHost) return undefined;
  const [oldest, another] = await selectOldestSites(db, 2);
  const isAlone = another === undefined && oldest?.domain === null;
  if (!oldest || !(isAlone || isThisMachine(name))) return undefined;
  return atAddress(oldest, name, tenant.scheme);
}

/** A site at one of its addresses, which need not be one of its hosts. */
function atAddress(row: StoredSite, domain: string, scheme: Site['scheme']): VisitedSite {
  return { ...atPrimary(toSite({ ...row, domain, scheme }), row), hosts: toSite(row).hosts };
}

/** The site at its primary host. */
export async function findPrimarySite(view: SiteData): Promise<VisitedSite> {
  const row = (await selectSite(view))!;
  return atPrimary(toSite(row), row);
}

/** The site with this slug, at its primary host. */
export async function findNamedSite(db: Queries, slug: string): Promise<VisitedSite | undefined> {
  const row = await selectSiteBySlug(db, slug);
  return row && atPrimary(toSite(row), row);
}

/** The site as it is reached at an address, `https://club.example.org`. */
export async function findSiteAt(view: SiteData, origin: string): Promise<VisitedSite> {
  const { host, protocol } = new URL(origin);
  return atAddress((await selectSite(view))!, host, protocol === 'https:' ? 'https' : 'http');
}
