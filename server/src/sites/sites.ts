import type { Site } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { changesBetween } from '../events/event.ts';
import { insertEventHead, recordEvents } from '../events/events.ts';
import type { Precondition } from '../routing/precondition.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { checkDomain, checkSlug, checkTitle, toSite } from './site.ts';
import {
  insertSite,
  lockSite,
  selectSite,
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
export async function createSite(tx: Transaction, input: NewSite): Promise<Site> {
  const id = newId();
  const slug = checkSlug(input.slug);
  const row = {
    id,
    slug,
    title: checkTitle(input.title ?? slug),
    domain: checkDomain(input.domain ?? null),
    status: 'active',
    created_at: timeOfId(id),
  };
  await insertSite(tx, row).catch(refuseTaken);
  await insertEventHead(tx, id);
  return toSite(row);
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

export async function listSites(db: Queries): Promise<Site[]> {
  return (await selectSites(db)).map(toSite);
}

export interface SiteChanges {
  readonly title?: string;
  readonly domain?: string | null;
}

/** @throws Refusal `invalid_request`, `site_domain_taken` */
export async function updateSite(
  tx: Transaction,
  siteId: string,
  changes: SiteChanges,
  cause: Cause,
  requireMatch: Precondition<Site> = () => {},
): Promise<Site> {
  await lockSite(tx, siteId);
  const before = await findSite(tx, siteId);
  requireMatch(before);
  const after: Site = {
    ...before,
    ...(changes.title === undefined ? {} : { title: checkTitle(changes.title) }),
    ...(changes.domain === undefined ? {} : { domain: checkDomain(changes.domain) }),
  };
  const changed = changesBetween(before, after, ['title', 'domain']);
  if (changed.length === 0) return before;
  await updateSiteRow(tx, siteId, after.title, after.domain, cause.at).catch(refuseTaken);
  await recordEvents(tx, siteId, cause, [{ type: 'site.updated', data: { siteId, changes: changed } }]);
  return after;
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error, 'sites_slug')) {
    throw new Refusal('site_slug_taken', 'Choose another slug: a site with this one already exists.');
  }
  if (isUniqueViolation(error, 'sites_domain')) {
    throw new Refusal('site_domain_taken', 'Choose another domain: another site already has this one.');
  }
  throw error;
}
