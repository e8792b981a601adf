import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { type Logo, operatorsSlug, type SiteRow } from './site.ts';

const columns = sql`
  id, slug, title, domain, operator_host, scheme, further_hosts, languages, time_zone, sign_up_policy, sign_up_domains, max_sessions, color, logo_version,
  identity_headers, members_create_tokens, status, created_at`;

export async function insertSite(tx: Transaction, site: SiteRow): Promise<void> {
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, domain, scheme, time_zone, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.domain}, ${site.scheme}, ${site.time_zone}, ${site.status},
            ${site.created_at}, ${site.created_at})`);
}

/** Creates the operator tenant. Returns false when it already exists. */
export async function insertOperatorTenant(tx: Transaction, site: SiteRow): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO sites (id, slug, title, operator_host, scheme, color, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.operator_host}, ${site.scheme}, ${site.color}, ${site.status},
            ${site.created_at}, ${site.created_at})
    ON CONFLICT (slug) DO NOTHING`);
  return inserted > 0;
}

export function selectOperatorTenant(db: Queries): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE slug = ${operatorsSlug}`);
}

export async function updateOperatorTenant(
  tx: Transaction,
  tenantId: string,
  host: string,
  scheme: string,
): Promise<void> {
  await tx.run(sql`UPDATE sites SET operator_host = ${host}, scheme = ${scheme} WHERE id = ${tenantId}`);
}

export function selectSite({ db, siteId }: SiteData): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE id = ${siteId}`);
}

/** The operator tenant cannot be found by a slug. */
export function selectSiteBySlug(db: Queries, slug: string): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE slug = ${slug} AND operator_host IS NULL`);
}

/**
 * The sites that have a host with a name, or one of the domains: a version before has stored hosts without their name. The
 * other query without a site: visitors identify the site by one of its hosts.
 */
export function selectSitesWithName(
  db: Queries,
  bareName: string,
  domains: readonly string[],
): Promise<SiteRow[]> {
  return db.all<SiteRow>(sql`
    SELECT ${columns} FROM sites
    WHERE id IN (SELECT site_id FROM site_hosts WHERE bare_name = ${bareName} OR domain IN ${valueList(domains)})`);
}

/** The sites with hosts whose names other sites have too. */
export function selectSitesWithSharedNames(db: Queries): Promise<SiteRow[]> {
  return db.all<SiteRow>(sql`
    SELECT ${columns} FROM sites
    WHERE id IN (
      SELECT site_id FROM site_hosts WHERE bare_name IN (
        SELECT bare_name FROM site_hosts GROUP BY bare_name HAVING count(DISTINCT site_id) > 1))
    ORDER BY id`);
}

export function selectSites(db: Queries): Promise<SiteRow[]> {
  return db.all<SiteRow>(sql`SELECT ${columns} FROM sites WHERE operator_host IS NULL ORDER BY id`);
}

/** The sites that were created first. */
export function selectOldestSites(db: Queries, limit: number): Promise<SiteRow[]> {
  return db.all<SiteRow>(
    sql`SELECT ${columns} FROM sites WHERE operator_host IS NULL ORDER BY id LIMIT ${limit}`,
  );
}

export async function updateSiteRow(tx: Transaction, site: SiteRow, at: Timestamp): Promise<void> {
  await tx.run(sql`
    UPDATE sites
    SET title = ${site.title}, domain = ${site.domain}, scheme = ${site.scheme}, further_hosts = ${site.further_hosts}, languages = ${site.languages},
        time_zone = ${site.time_zone}, sign_up_policy = ${site.sign_up_policy}, sign_up_domains = ${site.sign_up_domains}, max_sessions = ${site.max_sessions}, color = ${site.color},
        logo_version = ${site.logo_version}, identity_headers = ${site.identity_headers},
        members_create_tokens = ${Boolean(site.members_create_tokens)}, updated_at = ${at}
    WHERE id = ${site.id}`);
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
