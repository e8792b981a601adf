import type { Site, UpdateSite } from '@gatehouse/contract';
import { ApiError, invalidRequest } from '../../base/api-error.ts';
import { timeOfId } from '../../base/ids.ts';
import type { Precondition } from '../../base/precondition.ts';
import type { Queries } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { insertEventHead } from '../events/events.ts';
import { checkHosts, hostNameOf, hostsWithout, toHostColumns } from './hosts.ts';
import { checkIdentityHeaders, storeIdentityHeaders } from './identity-header-names.ts';
import {
  checkDomain,
  checkLanguages,
  checkLogo,
  checkSignUp,
  checkSlug,
  checkTitle,
  defaultMaxSessions,
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
  saveHosts,
  saveLogo,
  selectLogo,
  selectOldestSites,
  selectOperatorTenant,
  selectSite,
  selectSiteByHost,
  selectSiteBySlug,
  selectSites,
  updateSiteRow,
} from './site-store.ts';
import { atPrimary, type VisitedSite } from './visited-site.ts';

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
  const hosts = checkHosts(input.domain == null ? [] : [{ domain: checkDomain(input.domain) }]);
  const row: SiteRow = {
    id,
    slug,
    title: checkTitle(input.title ?? slug),
    ...toHostColumns(hosts),
    operator_host: null,
    scheme: hosts[0]?.scheme ?? 'https',
    languages: null,
    sign_up_policy: 'members_only',
    sign_up_domains: '[]',
    max_sessions: defaultMaxSessions,
    colour: null,
    logo_version: null,
    identity_headers: null,
    members_create_tokens: false,
    status: 'active',
    created_at: timeOfId(id),
  };
  const domains = hosts.map(({ domain }) => domain);
  await refuseDashboardHost(tx, domains);
  await insertSite(tx, row).catch(rejectTaken);
  await saveHosts(tx, id, domains).catch(rejectTaken);
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

/**
 * Finds the site with the host in a `Host` header: `club.example.org`, with or without a port. A host that differs from
 * the primary host of a site only by `www.` redirects to it.
 */
export async function findSiteByHost(db: Queries, host: string): Promise<VisitedSite | undefined> {
  if (host.length > maxHostLength) return undefined;
  const name = host.toLowerCase();
  const names = defaultPort.test(name) ? [name, name.replace(defaultPort, '')] : [name];
  for (const domain of names) {
    const row = await selectSiteByHost(db, domain);
    if (row) return atHost(row, domain);
  }
  return findRedirectedSite(db, names.at(-1)!);
}

function atHost(row: SiteRow, domain: string): VisitedSite | undefined {
  const site = toSite(row);
  const host = site.hosts.find((each) => each.domain === domain);
  if (!host || domain === site.domain) return atPrimary(site);
  const visitedAs = host.redirect ? 'redirect' : 'further';
  return { ...toSite({ ...row, domain, scheme: host.scheme }), hosts: site.hosts, visitedAs };
}

const www = 'www.';

async function findRedirectedSite(db: Queries, domain: string): Promise<VisitedSite | undefined> {
  const other = domain.startsWith(www) ? domain.slice(www.length) : www + domain;
  const row = await selectSiteByHost(db, other);
  if (row?.domain !== other || isThisMachine(domain)) return undefined;
  const tenant = await selectOperatorTenant(db);
  if (tenant?.operator_host && hostNameOf(tenant.operator_host) === hostNameOf(domain)) return undefined;
  const site = toSite(row);
  return { ...site, domain, visitedAs: 'redirect' };
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
  const name = tenant && withoutDefaultPort(host.toLowerCase(), tenant.scheme as Site['scheme']);
  if (!name || name !== tenant.operator_host) return undefined;
  const [oldest, another] = await selectOldestSites(db, 2);
  const isAlone = another === undefined && oldest?.domain === null;
  if (!oldest || !(isAlone || isThisMachine(name))) return undefined;
  return atPrimary(triedOutAt(oldest, name, tenant.scheme));
}

/** A site at an address that is not one of its hosts. */
function triedOutAt(row: SiteRow, domain: string, scheme: string): Site {
  return { ...toSite({ ...row, domain, scheme }), hosts: toSite(row).hosts };
}

/** The site as it is reached at an address, `https://club.example.org`. */
export async function findSiteAt(db: Queries, siteId: string, origin: string): Promise<Site> {
  const { host, protocol } = new URL(origin);
  return triedOutAt((await selectSite(db, siteId))!, host, protocol.slice(0, -1));
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
  /** The hosts that access rules name. */
  hostsOfRules(): Promise<readonly string[]>;
  /** Revokes all credentials of the members. Returns the number of sessions that ended. */
  revokeEveryCredential(): Promise<number>;
  /** Logs all members out at some of the further hosts. */
  logOutAt(domains: readonly string[]): Promise<void>;
  /** Checks that a token can be signed. */
  requireSigningKey(): Promise<void>;
}

/**
 * Changes a site. When its primary host changes, everything that gave access at the old one is revoked: a
 * later owner of the old domain will receive the old cookies.
 *
 * @throws {ApiError} `invalid_request`, `site_domain_taken`, and those of `requireGroups` and `requireSigningKey`
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
  if (changes.identityHeaders && after.identityHeaders.signed !== null) await dependents.requireSigningKey();
  const differences = changesBetween(eventValues(row), eventValues(changed), eventFields);
  if (differences.length === 0) return before;
  await changeHosts(change, before, after, dependents);
  if (logo) await saveLogo(tx, siteId, logo);
  if (logo === null) await deleteLogo(tx, siteId);
  await updateSiteRow(tx, changed, change.at).catch(rejectTaken);
  await tx.signal();
  const moved = originOf(before) !== null && originOf(before) !== originOf(after);
  const ended = moved ? { sessionsEnded: await dependents.revokeEveryCredential() } : {};
  change.record({ type: 'site.updated', data: { siteId, changes: differences, ...ended } });
  return after;
}

async function changeHosts(
  { tx, siteId }: Change,
  before: Site,
  after: Site,
  dependents: SiteDependents,
): Promise<void> {
  const gone = hostsWithout(before.hosts, after.hosts);
  const fresh = hostsWithout(after.hosts, before.hosts);
  if (gone.length === 0 && fresh.length === 0) return;
  await refuseDashboardHost(
    tx,
    fresh.map(({ domain }) => domain),
  );
  const serving = after.hosts.filter(({ redirect }) => !redirect).map(({ domain }) => domain);
  const orphan = (await dependents.hostsOfRules()).find((domain) => !serving.includes(domain));
  if (orphan !== undefined) {
    throw invalidRequest(
      '/hosts',
      `Access rules name the host ${orphan}. Change these rules first: without the host they would no longer apply.`,
    );
  }
  await saveHosts(
    tx,
    siteId,
    after.hosts.map(({ domain }) => domain),
  ).catch(rejectTaken);
  await dependents.logOutAt(gone.map(({ domain }) => domain));
}

/** The hosts after a change, with `domain` and `scheme` as short forms for a change of the primary host. */
function changedHosts(row: SiteRow, { hosts, domain, scheme }: UpdateSite): Site['hosts'] {
  const before = toSite(row).hosts;
  const further = before.slice(1);
  if (hosts !== undefined) {
    if (domain === undefined && scheme === undefined) return checkHosts(hosts);
    throw invalidRequest('/hosts', 'Set either hosts, or domain and scheme, which change the first host.');
  }
  if (domain === undefined && scheme === undefined) return before;
  const name = domain === undefined ? row.domain : domain;
  if (name !== null) {
    const checked = checkDomain(name);
    const isNew = checked !== row.domain;
    const own = scheme ?? (isNew ? defaultScheme(checked) : (row.scheme as Site['scheme']));
    return checkHosts([{ domain: checked, scheme: own }, ...further]);
  }
  if (further.length === 0) return [];
  throw invalidRequest(
    '/domain',
    'The site has further hosts. Remove them first, or make one of them the first.',
  );
}

function applyChanges(row: SiteRow, changes: UpdateSite, logo: Logo | null | undefined): SiteRow {
  const hosts = changedHosts(row, changes);
  const signUp = changes.signUp && checkSignUp(changes.signUp);
  return {
    ...row,
    title: changes.title === undefined || changes.title === row.title ? row.title : checkTitle(changes.title),
    ...toHostColumns(hosts),
    scheme: hosts[0]?.scheme ?? changes.scheme ?? row.scheme,
    languages: changes.languages ? JSON.stringify(checkLanguages(changes.languages)) : row.languages,
    sign_up_policy: signUp?.policy ?? row.sign_up_policy,
    sign_up_domains: signUp ? JSON.stringify(signUp.domains) : row.sign_up_domains,
    max_sessions: changes.maxSessions ?? row.max_sessions,
    colour: changes.colour === undefined ? row.colour : (changes.colour?.toLowerCase() ?? null),
    members_create_tokens: changes.membersCreateTokens ?? row.members_create_tokens,
    logo_version: logo === undefined ? row.logo_version : logo && logoVersionOf(logo),
    identity_headers: changes.identityHeaders
      ? storeIdentityHeaders(checkIdentityHeaders(changes.identityHeaders))
      : row.identity_headers,
  };
}

const eventFields = [
  'title',
  'domain',
  'scheme',
  'furtherHosts',
  'languages',
  'signUpPolicy',
  'signUpDomains',
  'maxSessions',
  'colour',
  'logo',
  'identityHeaders',
  'membersCreateTokens',
] as const;

/**
 * The fields of a site in events, each a plain value. The version stands for the logo, whether or not the site has a
 * domain.
 */
function eventValues(row: SiteRow) {
  const { signUp, languages, hosts, identityHeaders, ...site } = toSite(row);
  return {
    ...site,
    furtherHosts: describeHosts(hosts.slice(1)),
    languages: languages.join(', '),
    signUpPolicy: signUp.policy,
    signUpDomains: JSON.stringify(signUp.domains),
    logo: row.logo_version,
    identityHeaders: JSON.stringify(identityHeaders),
  };
}

function describeHosts(hosts: Site['hosts']): string {
  return hosts
    .map(({ domain, scheme, redirect }) => `${scheme}://${domain}${redirect ? ' (redirected)' : ''}`)
    .join(', ');
}

/**
 * No site may use the host of the dashboard, on any port, because its pages could imitate the dashboard's. On the
 * local machine, sites differ by port.
 */
async function refuseDashboardHost(db: Queries, domains: readonly string[]): Promise<void> {
  const { operator_host } = (await selectOperatorTenant(db)) ?? { operator_host: null };
  if (operator_host === null) return;
  const dashboard = hostNameOf(operator_host);
  if (domains.every((domain) => defaultScheme(domain) === 'http' || hostNameOf(domain) !== dashboard)) return;
  throw new ApiError('site_domain_taken', 'This domain is used by the dashboard. Choose another domain.');
}

function rejectTaken(error: unknown): never {
  if (isUniqueViolation(error, 'sites_slug')) {
    throw new ApiError('site_slug_taken', 'A site with this slug already exists. Choose another slug.');
  }
  if (
    ['sites_domain', 'site_hosts_domain', 'site_hosts_name'].some((name) => isUniqueViolation(error, name))
  ) {
    throw new ApiError(
      'site_domain_taken',
      'Another site uses this domain, possibly on another port. Choose another domain.',
    );
  }
  throw error;
}
