import type { Site, UpdateSite } from '@gatehouse/contract';
import { ApiError, invalidRequest, type Precondition } from '../../base/api-error.ts';
import { checkTimeZone } from '../../base/text/time-zone.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { acquireSiteLock } from '../../storage/sql/row-lock.ts';
import type { Change } from '../events/change.ts';
import { changesBetween } from '../events/event.ts';
import { insertEventHead } from '../events/events.ts';
import { claimHosts, rejectTakenHosts } from './host-claims.ts';
import { checkHosts, hostsWithout, storedHosts } from './hosts.ts';
import { checkIdentityHeaders, storedIdentityHeaders } from './identity-header-names.ts';
import {
  checkDomain,
  checkLanguages,
  checkLogo,
  checkSignUp,
  checkSlug,
  checkTitle,
  defaultScheme,
  type Logo,
  logoVersionOf,
  newSite,
  originOf,
  type StoredSite,
  toSite,
} from './site.ts';
import { checkLinks, describeLinks } from './site-links.ts';
import {
  deleteLogo,
  insertSite,
  saveLogo,
  selectOldestSites,
  selectSite,
  selectSiteBySlug,
  selectSites,
  updateSiteRow,
  updateSiteStatus,
} from './site-store.ts';

export interface NewSite {
  readonly slug: string;
  readonly title?: string;
  readonly domain?: string | null;
  readonly timeZone?: string;
}

/** @throws {ApiError} `invalid_request`, `site_slug_taken`, `site_domain_taken` */
export async function createSite(change: Change, input: NewSite): Promise<Site> {
  const { db, siteId: id } = change;
  const slug = checkSlug(input.slug);
  const hosts = checkHosts(input.domain == null ? [] : [{ domain: checkDomain(input.domain) }]);
  const stored = newSite({
    id,
    slug,
    title: checkTitle(input.title ?? slug),
    ...storedHosts(hosts),
    scheme: hosts[0]?.scheme ?? 'https',
    ...(input.timeZone !== undefined && { timeZone: checkTimeZone(input.timeZone) }),
  });
  const domains = hosts.map(({ domain }) => domain);
  await insertSite(db, stored).catch(rejectTakenSlug).catch(rejectTakenHosts(id, domains));
  await claimHosts(change, [], domains);
  await insertEventHead(change, stored.createdAt);
  const site = toSite(stored);
  const { title } = site;
  change.record({ type: 'site.created', data: { site: { id, slug, title, domain: site.domain } } });
  return site;
}

/** Locks the settings, hosts and rules of a site until the transaction ends. */
export function lockSite(view: SiteData<Transaction>): Promise<void> {
  return acquireSiteLock(view, 'site');
}

export async function findSite(view: SiteData): Promise<Site> {
  const stored = await selectSite(view);
  if (!stored) throw new Error(`The site ${view.siteId} does not exist, but its API key does.`);
  return toSite(stored);
}

/** The site, if links can lead to it. @throws {ApiError} `site_domain_missing` */
export async function requireSiteWithDomain(view: SiteData): Promise<Site> {
  const site = await findSite(view);
  if (originOf(site) !== null) return site;
  throw new ApiError(
    'site_domain_missing',
    'The site has no domain, to which links could lead. Set the domain of the site first.',
  );
}

/** Finds a site by its slug, which identifies it on the command line. */
export async function findSiteBySlug(db: Queries, slug: string): Promise<Site | undefined> {
  const stored = await selectSiteBySlug(db, slug);
  return stored && toSite(stored);
}

export { markHavingPasskeys, selectLogo as findLogo } from './site-store.ts';

/** All sites except the operator tenant. */
export async function listSites(db: Queries): Promise<Site[]> {
  return (await selectSites(db)).map(toSite);
}

/** Whether the installation has more than one site. */
export async function hasSeveralSites(db: Queries): Promise<boolean> {
  return (await selectOldestSites(db, 2)).length > 1;
}

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
  const { db, siteId } = change;
  await lockSite(change);
  const stored = (await selectSite(change))!;
  const before = toSite(stored);
  requireMatch(before);
  const logo = typeof changes.logo === 'string' ? checkLogo(changes.logo) : changes.logo;
  const changed = applyChanges(stored, changes, logo);
  const after = toSite(changed);
  if (changes.signUp)
    await dependents.requireGroups(after.signUp.domains.flatMap(({ accessGroupIds }) => accessGroupIds));
  if (changes.identityHeaders && after.identityHeaders.signed !== null) await dependents.requireSigningKey();
  const differences = changesBetween(eventValues(stored), eventValues(changed), eventFields);
  if (differences.length === 0) return before;
  await changeHosts(change, before, after, dependents);
  if (logo) await saveLogo(change, logo);
  if (logo === null) await deleteLogo(change);
  await updateSiteRow(change, changed).catch(rejectTakenHosts(siteId, domainsOf(after)));
  await db.signal();
  const moved = originOf(before) !== null && originOf(before) !== originOf(after);
  const ended = moved ? { sessionsEnded: await dependents.revokeEveryCredential() } : {};
  change.record({ type: 'site.updated', data: { siteId, changes: differences, ...ended } });
  return after;
}

/** Closes a site to all visitors, or opens it again. Nothing else of it changes. Returns whether its status was another. */
export async function setSiteStatus(change: Change, to: Site['status']): Promise<boolean> {
  const { db, siteId } = change;
  await lockSite(change);
  const { status: from } = (await selectSite(change))!;
  if (from === to) return false;
  await updateSiteStatus(change, to);
  await db.signal();
  change.record({ type: 'site.updated', data: { siteId, changes: [{ field: 'status', from, to }] } });
  return true;
}

async function changeHosts(
  change: Change,
  before: Site,
  after: Site,
  dependents: SiteDependents,
): Promise<void> {
  const gone = hostsWithout(before.hosts, after.hosts);
  if (gone.length === 0 && hostsWithout(after.hosts, before.hosts).length === 0) return;
  const serving = after.hosts.filter(({ redirect }) => !redirect).map(({ domain }) => domain);
  const orphan = (await dependents.hostsOfRules()).find((domain) => !serving.includes(domain));
  if (orphan !== undefined) {
    throw invalidRequest(
      '/hosts',
      `Access rules name the host ${orphan}. Change these rules first: without the host they would no longer apply.`,
    );
  }
  await claimHosts(change, domainsOf(before), domainsOf(after));
  await dependents.logOutAt(gone.map(({ domain }) => domain));
}

function domainsOf({ hosts }: Site): string[] {
  return hosts.map(({ domain }) => domain);
}

/** The hosts after a change, with `domain` and `scheme` as short forms for a change of the primary host. */
function changedHosts(stored: StoredSite, { hosts, domain, scheme }: UpdateSite): Site['hosts'] {
  const before = toSite(stored).hosts;
  const further = before.slice(1);
  if (hosts !== undefined) {
    if (domain === undefined && scheme === undefined) return checkHosts(hosts);
    throw invalidRequest('/hosts', 'Set either hosts, or domain and scheme, which change the first host.');
  }
  if (domain === undefined && scheme === undefined) return before;
  const name = domain === undefined ? stored.domain : domain;
  if (name !== null) {
    const checked = checkDomain(name);
    const isNew = checked !== stored.domain;
    const own = scheme ?? (isNew ? defaultScheme(checked) : stored.scheme);
    return checkHosts([{ domain: checked, scheme: own }, ...further]);
  }
  if (further.length === 0) return [];
  throw invalidRequest(
    '/domain',
    'The site has further hosts. Remove them first, or make one of them the first.',
  );
}

function applyChanges(before: StoredSite, changes: UpdateSite, logo: Logo | null | undefined): StoredSite {
  const hosts = changedHosts(before, changes);
  const signUp = changes.signUp && checkSignUp(changes.signUp);
  const { title, languages, timeZone, color, identityHeaders, links } = changes;
  return {
    ...before,
    ...storedHosts(hosts),
    title: title === undefined || title === before.title ? before.title : checkTitle(title),
    scheme: hosts[0]?.scheme ?? changes.scheme ?? before.scheme,
    languages: languages ? checkLanguages(languages) : before.languages,
    timeZone: timeZone === undefined ? before.timeZone : checkTimeZone(timeZone),
    signUpPolicy: signUp?.policy ?? before.signUpPolicy,
    signUpDomains: signUp?.domains ?? before.signUpDomains,
    maxSessions: changes.maxSessions ?? before.maxSessions,
    color: color === undefined ? before.color : (color?.toLowerCase() ?? null),
    membersCreateTokens: changes.membersCreateTokens ?? before.membersCreateTokens,
    allowsAccessRequests: changes.allowsAccessRequests ?? before.allowsAccessRequests,
    allowsPasskeys: changes.allowsPasskeys ?? before.allowsPasskeys,
    showsSetUpSteps: changes.showsSetUpSteps ?? before.showsSetUpSteps,
    logoVersion: logo === undefined ? before.logoVersion : logo && logoVersionOf(logo),
    identityHeaders: identityHeaders
      ? storedIdentityHeaders(checkIdentityHeaders(identityHeaders))
      : before.identityHeaders,
    links: links ? checkLinks(links) : before.links,
  };
}

const eventFields = [
  'title',
  'domain',
  'scheme',
  'furtherHosts',
  'languages',
  'timeZone',
  'signUpPolicy',
  'signUpDomains',
  'maxSessions',
  'color',
  'logo',
  'identityHeaders',
  'membersCreateTokens',
  'allowsAccessRequests',
  'allowsPasskeys',
  'links',
  'showsSetUpSteps',
] as const;

/**
 * The fields of a site in events, each a plain value. The version stands for the logo, whether or not the site has a
 * domain.
 */
function eventValues(stored: StoredSite) {
  const { signUp, languages, hosts, identityHeaders, links, ...site } = toSite(stored);
  return {
    ...site,
    furtherHosts: describeHosts(hosts.slice(1)),
    languages: languages.join(', '),
    signUpPolicy: signUp.policy,
    signUpDomains: JSON.stringify(signUp.domains),
    logo: stored.logoVersion,
    identityHeaders: JSON.stringify(identityHeaders),
    links: describeLinks(links),
  };
}

function describeHosts(hosts: Site['hosts']): string {
  return hosts
    .map(({ domain, scheme, redirect }) => `${scheme}://${domain}${redirect ? ' (redirected)' : ''}`)
    .join(', ');
}

function rejectTakenSlug(error: unknown): never {
  if (isUniqueViolation(error, 'sites_slug')) {
    throw new ApiError('site_slug_taken', 'A site with this slug already exists. Choose another slug.');
  }
  throw error;
}
