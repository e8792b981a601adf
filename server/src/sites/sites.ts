import type { Site, UpdateSite } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { changesBetween } from '../events/event.ts';
import { insertEventHead, recordEvents } from '../events/events.ts';
import type { Precondition } from '../routing/precondition.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import {
  checkDomain,
  checkLanguages,
  checkLogo,
  checkSignUp,
  checkSlug,
  checkTitle,
  isThisMachine,
  type Logo,
  logoVersionOf,
  type SiteRow,
  toSite,
  usualScheme,
  withoutUsualPort,
} from './site.ts';
import {
  deleteLogo,
  insertSite,
  lockSite,
  saveLogo,
  selectEverySiteId,
  selectLogo,
  selectOldestSites,
  selectRealm,
  selectSite,
  selectSiteByDomain,
  selectSiteBySlug,
  selectSites,
  updateSiteRow,
} from './site-store.ts';

export interface NewSite {
  readonly slug: string;
  readonly title?: string;
  readonly domain?: string | null;
}

/** @throws Refusal `invalid_request`, `site_slug_taken`, `site_domain_taken` */
export async function createSite(tx: Transaction, input: NewSite, cause: Cause): Promise<Site> {
  const id = newId();
  const slug = checkSlug(input.slug);
  const domain = checkDomain(input.domain ?? null);
  const scheme = domain === null ? 'https' : usualScheme(domain);
  const row: SiteRow = {
    id,
    slug,
    title: checkTitle(input.title ?? slug),
    domain: withoutUsualPort(domain, scheme),
    realm_host: null,
    scheme,
    languages: null,
    sign_up_policy: 'members_only',
    sign_up_domains: '[]',
    colour: null,
    logo_version: null,
    status: 'active',
    created_at: timeOfId(id),
  };
  await refuseDashboardHost(tx, row.domain);
  await insertSite(tx, row).catch(refuseTaken);
  await insertEventHead(tx, id);
  const site = toSite(row);
  const { title } = site;
  await recordEvents(tx, id, cause, [
    { type: 'site.created', data: { site: { id, slug, title, domain: site.domain } } },
  ]);
  return site;
}

export async function findSite(db: Queries, siteId: string): Promise<Site> {
  const row = await selectSite(db, siteId);
  if (!row) throw new Error(`The site ${siteId} is gone while its key is still here.`);
  return toSite(row);
}

/** Finds a site by its slug, as people name it on the command line. */
export async function findSiteBySlug(db: Queries, slug: string): Promise<Site | undefined> {
  const row = await selectSiteBySlug(db, slug);
  return row && toSite(row);
}

/** Finds the site whose domain a host is, as a `Host` header names it: `club.example.org`, with or without a port. */
export async function findSiteByHost(db: Queries, host: string): Promise<Site | undefined> {
  if (host.length > longestHost) return undefined;
  const name = host.toLowerCase();
  const row =
    (await selectSiteByDomain(db, name)) ??
    (usualPort.test(name) ? await selectSiteByDomain(db, name.replace(usualPort, '')) : undefined);
  return row && toSite(row);
}

/**
 * Finds the site whose pages a host has: the site with that domain or, at the public URL, one that can be tried out there.
 * It comes with the address at which it was found, so that its links, cookies and redirects stay there.
 *
 * On this machine that is the oldest site, beside its own domain. Elsewhere it is the only site while it has no domain: at
 * the host of the dashboard, no owner of a site may stand who is not an owner of all there is.
 */
export async function findSiteOfPages(db: Queries, host: string): Promise<Site | undefined> {
  const site = await findSiteByHost(db, host);
  if (site || host.length > longestHost) return site;
  const realm = await selectRealm(db);
  const name = realm && withoutUsualPort(host.toLowerCase(), realm.scheme as Site['scheme']);
  if (!name || name !== realm.realm_host) return undefined;
  const [oldest, another] = await selectOldestSites(db, 2);
  const isAlone = another === undefined && oldest?.domain === null;
  if (!oldest || !(isAlone || isThisMachine(name))) return undefined;
  return toSite({ ...oldest, domain: name, scheme: realm.scheme });
}

/** The site as it is reached at an address, `https://club.example.org`. */
export async function findSiteAt(db: Queries, siteId: string, origin: string): Promise<Site> {
  const { host, protocol } = new URL(origin);
  return toSite({ ...(await selectSite(db, siteId))!, domain: host, scheme: protocol.slice(0, -1) });
}

export function findLogo(db: Queries, siteId: string): Promise<Logo | undefined> {
  return selectLogo(db, siteId);
}

/** The sites that people know of. */
export async function listSites(db: Queries): Promise<Site[]> {
  return (await selectSites(db)).map(toSite);
}

/** The ids of all sites, the operators' hidden one included: work in the background is done for each. */
export function listEverySiteId(db: Queries): Promise<string[]> {
  return selectEverySiteId(db);
}

const longestHost = 300;
const usualPort = /:(?:80|443)$/;

/**
 * @param requireGroups makes sure of the groups that a new sign-up policy names
 * @throws Refusal `invalid_request`, `site_domain_taken`, and those of `requireGroups`
 */
export async function updateSite(
  tx: Transaction,
  siteId: string,
  changes: UpdateSite,
  cause: Cause,
  requireMatch: Precondition<Site> = () => {},
  requireGroups: (groupIds: readonly string[]) => Promise<unknown> = async () => {},
): Promise<Site> {
  await lockSite(tx, siteId);
  const row = (await selectSite(tx, siteId))!;
  const before = toSite(row);
  requireMatch(before);
  const logo = typeof changes.logo === 'string' ? checkLogo(changes.logo) : changes.logo;
  const changed = applyChanges(row, changes, logo);
  const after = toSite(changed);
  if (changes.signUp)
    await requireGroups(after.signUp.domains.flatMap(({ accessGroupIds }) => accessGroupIds));
  const differences = changesBetween(told(row), told(changed), toldFields);
  if (differences.length === 0) return before;
  if (changed.domain !== row.domain) await refuseDashboardHost(tx, changed.domain);
  if (logo) await saveLogo(tx, siteId, logo);
  if (logo === null) await deleteLogo(tx, siteId);
  await updateSiteRow(tx, changed, cause.at).catch(refuseTaken);
  await tx.signal();
  await recordEvents(tx, siteId, cause, [{ type: 'site.updated', data: { siteId, changes: differences } }]);
  return after;
}

function applyChanges(row: SiteRow, changes: UpdateSite, logo: Logo | null | undefined): SiteRow {
  const domain = changes.domain === undefined ? row.domain : checkDomain(changes.domain);
  const isNew = domain !== null && domain !== row.domain;
  const scheme = changes.scheme ?? (isNew ? usualScheme(domain) : (row.scheme as Site['scheme']));
  const signUp = changes.signUp && checkSignUp(changes.signUp);
  return {
    ...row,
    title: changes.title === undefined || changes.title === row.title ? row.title : checkTitle(changes.title),
    domain: withoutUsualPort(domain, scheme),
    scheme,
    languages: changes.languages ? JSON.stringify(checkLanguages(changes.languages)) : row.languages,
    sign_up_policy: signUp?.policy ?? row.sign_up_policy,
    sign_up_domains: signUp ? JSON.stringify(signUp.domains) : row.sign_up_domains,
    colour: changes.colour === undefined ? row.colour : (changes.colour?.toLowerCase() ?? null),
    logo_version: logo === undefined ? row.logo_version : logo && logoVersionOf(logo),
  };
}

const toldFields = [
  'title',
  'domain',
  'scheme',
  'languages',
  'signUpPolicy',
  'signUpDomains',
  'colour',
  'logo',
] as const;

/** A site as its events tell of it: every field is one plain value. A logo is told by its version, domain or not. */
function told(row: SiteRow) {
  const { signUp, languages, ...site } = toSite(row);
  return {
    ...site,
    languages: languages.join(', '),
    signUpPolicy: signUp.policy,
    signUpDomains: JSON.stringify(signUp.domains),
    logo: row.logo_version,
  };
}

/**
 * No site stands where operators log in, on any port: its pages would pass for theirs. On this machine itself ports tell
 * them apart.
 */
async function refuseDashboardHost(db: Queries, domain: string | null): Promise<void> {
  const { realm_host } = (await selectRealm(db)) ?? { realm_host: null };
  if (domain === null || realm_host === null || usualScheme(domain) === 'http') return;
  if (hostNameOf(domain) !== hostNameOf(realm_host)) return;
  throw new Refusal('site_domain_taken', 'The dashboard is at this domain. Choose another domain.');
}

function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error, 'sites_slug')) {
    throw new Refusal('site_slug_taken', 'A site with this slug exists. Choose another slug.');
  }
  if (isUniqueViolation(error, 'sites_domain') || isUniqueViolation(error, 'sites_host')) {
    throw new Refusal(
      'site_domain_taken',
      'Another site has this domain, perhaps on another port. Choose another domain.',
    );
  }
  throw error;
}
