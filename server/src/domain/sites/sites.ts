import type { Site, UpdateSite } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { timeOfId } from '../../base/ids.ts';
import type { Precondition } from '../../base/precondition.ts';
import type { Queries } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { insertEventHead } from '../events/events.ts';
import {
  checkDomain,
  checkLanguages,
  checkLogo,
  checkSignUp,
  checkSlug,
  checkTitle,
  defaultScheme,
  isThisMachine,
  type Logo,
  logoVersionOf,
  originOf,
  type SiteRow,
  toSite,
  withoutDefaultPort,
} from './site.ts';
import {
  deleteLogo,
  insertSite,
  lockSite,
  saveLogo,
  selectLogo,
  selectOldestSites,
  selectOperatorTenant,
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

/** @throws {ApiError} `invalid_request`, `site_slug_taken`, `site_domain_taken` */
export async function createSite(change: Change, input: NewSite): Promise<Site> {
  const { tx } = change;
  const id = change.siteId;
  const slug = checkSlug(input.slug);
  const domain = checkDomain(input.domain ?? null);
  const scheme = domain === null ? 'https' : defaultScheme(domain);
  const row: SiteRow = {
    id,
    slug,
    title: checkTitle(input.title ?? slug),
    domain: withoutDefaultPort(domain, scheme),
    operator_host: null,
    scheme,
    languages: null,
    sign_up_policy: 'members_only',
    sign_up_domains: '[]',
    colour: null,
    logo_version: null,
    members_create_tokens: false,
    status: 'active',
    created_at: timeOfId(id),
  };
  await refuseDashboardHost(tx, row.domain);
  await insertSite(tx, row).catch(rejectTaken);
  await insertEventHead(tx, id, row.created_at);
  const site = toSite(row);
  const { title } = site;
  change.on(id).record({ type: 'site.created', data: { site: { id, slug, title, domain: site.domain } } });
  return site;
}

export { lockSite } from './site-store.ts';

export async function findSite(db: Queries, siteId: string): Promise<Site> {
  const row = await selectSite(db, siteId);
  if (!row) throw new Error(`The site ${siteId} does not exist, but its API key does.`);
  return toSite(row);
}

/** Finds a site by its slug, which identifies it on the command line. */
export async function findSiteBySlug(db: Queries, slug: string): Promise<Site | undefined> {
  const row = await selectSiteBySlug(db, slug);
  return row && toSite(row);
}

/** Finds the site with the domain in a `Host` header: `club.example.org`, with or without a port. */
export async function findSiteByHost(db: Queries, host: string): Promise<Site | undefined> {
  if (host.length > maxHostLength) return undefined;
  const name = host.toLowerCase();
  const row =
    (await selectSiteByDomain(db, name)) ??
    (defaultPort.test(name) ? await selectSiteByDomain(db, name.replace(defaultPort, '')) : undefined);
  return row && toSite(row);
}

/**
 * Finds the site whose pages a host serves: the site with that domain or, at the public URL, a site that can be tried
 * out there. The result has the address at which it was found, so that links, cookies and redirects stay on it.
 *
 * On the local machine this is the oldest site, in addition to its own domain. Elsewhere it is the only site, while it
 * has no domain: the host of the dashboard must never serve a site whose owner does not own all sites.
 */
export async function findSiteOfPages(db: Queries, host: string): Promise<Site | undefined> {
  const site = await findSiteByHost(db, host);
  if (site || host.length > maxHostLength) return site;
  const tenant = await selectOperatorTenant(db);
  const name = tenant && withoutDefaultPort(host.toLowerCase(), tenant.scheme as Site['scheme']);
  if (!name || name !== tenant.operator_host) return undefined;
  const [oldest, another] = await selectOldestSites(db, 2);
  const isAlone = another === undefined && oldest?.domain === null;
  if (!oldest || !(isAlone || isThisMachine(name))) return undefined;
  return toSite({ ...oldest, domain: name, scheme: tenant.scheme });
}

/** The site as it is reached at an address, `https://club.example.org`. */
export async function findSiteAt(db: Queries, siteId: string, origin: string): Promise<Site> {
  const { host, protocol } = new URL(origin);
  return toSite({ ...(await selectSite(db, siteId))!, domain: host, scheme: protocol.slice(0, -1) });
}

export function findLogo(db: Queries, siteId: string): Promise<Logo | undefined> {
  return selectLogo(db, siteId);
}

/** All sites except the operator tenant. */
export async function listSites(db: Queries): Promise<Site[]> {
  return (await selectSites(db)).map(toSite);
}

const maxHostLength = 300;
const defaultPort = /:(?:80|443)$/;

/** What a change of a site needs from its members and groups, which this concept does not know. */
export interface SiteDependents {
  /** Checks the groups that a new sign-up policy names. */
  requireGroups(groupIds: readonly string[]): Promise<unknown>;
  /** Revokes all credentials of the members. Returns the number of sessions that ended. */
  revokeEveryCredential(): Promise<number>;
}

/**
 * Changes a site. When its domain or scheme changes, everything that gave access at the old one is revoked: a
 * later owner of the old domain will receive the old cookies.
 *
 * @throws {ApiError} `invalid_request`, `site_domain_taken`, and those of `requireGroups`
 */
export async function updateSite(
  change: Change,
  changes: UpdateSite,
  dependents: SiteDependents,
  requireMatch: Precondition<Site> = () => {},
): Promise<Site> {
  const { tx, siteId } = change;
  await lockSite(tx, siteId);
  const row = (await selectSite(tx, siteId))!;
  const before = toSite(row);
  requireMatch(before);
  const logo = typeof changes.logo === 'string' ? checkLogo(changes.logo) : changes.logo;
  const changed = applyChanges(row, changes, logo);
  const after = toSite(changed);
  if (changes.signUp)
    await dependents.requireGroups(after.signUp.domains.flatMap(({ accessGroupIds }) => accessGroupIds));
  const differences = changesBetween(eventValues(row), eventValues(changed), eventFields);
  if (differences.length === 0) return before;
  if (changed.domain !== row.domain) await refuseDashboardHost(tx, changed.domain);
  if (logo) await saveLogo(tx, siteId, logo);
  if (logo === null) await deleteLogo(tx, siteId);
  await updateSiteRow(tx, changed, change.at).catch(rejectTaken);
  await tx.signal();
  const moved = originOf(before) !== null && originOf(before) !== originOf(after);
  const ended = moved ? { sessionsEnded: await dependents.revokeEveryCredential() } : {};
  change.record({ type: 'site.updated', data: { siteId, changes: differences, ...ended } });
  return after;
}

function applyChanges(row: SiteRow, changes: UpdateSite, logo: Logo | null | undefined): SiteRow {
  const domain = changes.domain === undefined ? row.domain : checkDomain(changes.domain);
  const isNew = domain !== null && domain !== row.domain;
  const scheme = changes.scheme ?? (isNew ? defaultScheme(domain) : (row.scheme as Site['scheme']));
  const signUp = changes.signUp && checkSignUp(changes.signUp);
  return {
    ...row,
    title: changes.title === undefined || changes.title === row.title ? row.title : checkTitle(changes.title),
    domain: withoutDefaultPort(domain, scheme),
    scheme,
    languages: changes.languages ? JSON.stringify(checkLanguages(changes.languages)) : row.languages,
    sign_up_policy: signUp?.policy ?? row.sign_up_policy,
    sign_up_domains: signUp ? JSON.stringify(signUp.domains) : row.sign_up_domains,
    colour: changes.colour === undefined ? row.colour : (changes.colour?.toLowerCase() ?? null),
    members_create_tokens: changes.membersCreateTokens ?? row.members_create_tokens,
    logo_version: logo === undefined ? row.logo_version : logo && logoVersionOf(logo),
  };
}

const eventFields = [
  'title',
  'domain',
  'scheme',
  'languages',
  'signUpPolicy',
  'signUpDomains',
  'colour',
  'logo',
  'membersCreateTokens',
] as const;

/**
 * The fields of a site in events, each a plain value. The version stands for the logo, whether or not the site has a
 * domain.
 */
function eventValues(row: SiteRow) {
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
 * No site may use the host of the dashboard, on any port, because its pages could imitate the dashboard's. On the
 * local machine, sites differ by port.
 */
async function refuseDashboardHost(db: Queries, domain: string | null): Promise<void> {
  const { operator_host } = (await selectOperatorTenant(db)) ?? { operator_host: null };
  if (domain === null || operator_host === null || defaultScheme(domain) === 'http') return;
  if (hostNameOf(domain) !== hostNameOf(operator_host)) return;
  throw new ApiError('site_domain_taken', 'This domain is used by the dashboard. Choose another domain.');
}

function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function rejectTaken(error: unknown): never {
  if (isUniqueViolation(error, 'sites_slug')) {
    throw new ApiError('site_slug_taken', 'A site with this slug already exists. Choose another slug.');
  }
  if (isUniqueViolation(error, 'sites_domain') || isUniqueViolation(error, 'sites_host')) {
    throw new ApiError(
      'site_domain_taken',
      'Another site uses this domain, possibly on another port. Choose another domain.',
    );
  }
  throw error;
}
