import type { Site } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { booleanColumn, Columns, jsonColumn } from '../../storage/sql/columns.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { type Logo, operatorsSlug, type StoredSite } from './site.ts';

const columns = new Columns<StoredSite>({
  id: 'id',
  slug: 'slug',
  title: 'title',
  domain: 'domain',
  operatorHost: 'operator_host',
  scheme: 'scheme',
  furtherHosts: jsonColumn('further_hosts'),
  languages: jsonColumn('languages'),
  timeZone: 'time_zone',
  signUpPolicy: 'sign_up_policy',
  signUpDomains: jsonColumn('sign_up_domains'),
  maxSessions: 'max_sessions',
  color: 'color',
  logoVersion: 'logo_version',
  identityHeaders: jsonColumn('identity_headers'),
  membersCreateTokens: booleanColumn('members_create_tokens'),
  allowsAccessRequests: booleanColumn('allows_access_requests'),
  hasLoginProviders: booleanColumn('has_login_providers'),
  allowsPasskeys: booleanColumn('allows_passkeys'),
  hasPasskeys: booleanColumn('has_passkeys'),
  links: jsonColumn('links'),
  showsSetUpSteps: booleanColumn('shows_set_up_steps'),
  status: 'status',
  createdAt: 'created_at',
});

export async function insertSite(tx: Transaction, site: StoredSite): Promise<void> {
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, domain, scheme, time_zone, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.domain}, ${site.scheme}, ${site.timeZone}, ${site.status},
            ${site.createdAt}, ${site.createdAt})`);
}

/** Creates the operator tenant. Returns false when it already exists. */
export async function insertOperatorTenant(tx: Transaction, site: StoredSite): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO sites (id, slug, title, operator_host, scheme, color, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.operatorHost}, ${site.scheme}, ${site.color}, ${site.status},
            ${site.createdAt}, ${site.createdAt})
    ON CONFLICT (slug) DO NOTHING`);
  return inserted > 0;
}

export function selectOperatorTenant(db: Queries): Promise<StoredSite | undefined> {
  return columns.get(db, sql`SELECT ${columns.list} FROM sites WHERE slug = ${operatorsSlug}`);
}

export async function updateOperatorTenant(
  tx: Transaction,
  tenantId: string,
  host: string,
  scheme: string,
): Promise<void> {
  await tx.run(sql`UPDATE sites SET operator_host = ${host}, scheme = ${scheme} WHERE id = ${tenantId}`);
}

export function selectSite({ db, siteId }: SiteData): Promise<StoredSite | undefined> {
  return columns.get(db, sql`SELECT ${columns.list} FROM sites WHERE id = ${siteId}`);
}

/** The operator tenant cannot be found by a slug. */
export function selectSiteBySlug(db: Queries, slug: string): Promise<StoredSite | undefined> {
  return columns.get(
    db,
    sql`SELECT ${columns.list} FROM sites WHERE slug = ${slug} AND operator_host IS NULL`,
  );
}

/**
 * The sites that have a host with a name, or one of the domains, which on the local machine are no names. The other query
 * without a site: visitors identify the site by one of its hosts.
 */
export function selectSitesWithName(
  db: Queries,
  bareName: string,
  domains: readonly string[],
): Promise<StoredSite[]> {
  return columns.all(
    db,
    sql`
    SELECT ${columns.list} FROM sites
    WHERE id IN (SELECT site_id FROM site_hosts WHERE bare_name = ${bareName} OR domain IN ${valueList(domains)})`,
  );
}

export function selectSites(db: Queries): Promise<StoredSite[]> {
  return columns.all(db, sql`SELECT ${columns.list} FROM sites WHERE operator_host IS NULL ORDER BY id`);
}

/** The sites that were created first. */
export function selectOldestSites(db: Queries, limit: number): Promise<StoredSite[]> {
  return columns.all(
    db,
    sql`SELECT ${columns.list} FROM sites WHERE operator_host IS NULL ORDER BY id LIMIT ${limit}`,
  );
}

export async function updateSiteRow({ db, now }: SiteView<Transaction>, site: StoredSite): Promise<void> {
  const changed = columns.assignments(site, [
    'id',
    'slug',
    'operatorHost',
    'hasLoginProviders',
    'hasPasskeys',
    'status',
    'createdAt',
  ]);
  await db.run(sql`UPDATE sites SET ${changed}, updated_at = ${now} WHERE id = ${site.id}`);
}

export async function updateSiteStatus(
  { db, siteId, now }: SiteView<Transaction>,
  status: Site['status'],
): Promise<void> {
  await db.run(sql`UPDATE sites SET status = ${status}, updated_at = ${now} WHERE id = ${siteId}`);
}

/** Records that a member has added a passkey. */
export async function markHavingPasskeys({ db, siteId }: SiteData<Transaction>): Promise<void> {
  await db.run(sql`UPDATE sites SET has_passkeys = true WHERE id = ${siteId}`);
}

export function selectLogo({ db, siteId }: SiteData): Promise<Logo | undefined> {
  return db.get<Logo>(
    sql`SELECT media_type AS "mediaType", content FROM site_logos WHERE site_id = ${siteId}`,
  );
}

export async function saveLogo(
  { db, siteId }: SiteData<Transaction>,
  { mediaType, content }: Logo,
): Promise<void> {
  await db.run(sql`
    INSERT INTO site_logos (site_id, media_type, content) VALUES (${siteId}, ${mediaType}, ${content})
    ON CONFLICT (site_id) DO UPDATE SET media_type = excluded.media_type, content = excluded.content`);
}

export async function deleteLogo({ db, siteId }: SiteData<Transaction>): Promise<void> {
  await db.run(sql`DELETE FROM site_logos WHERE site_id = ${siteId}`);
}
