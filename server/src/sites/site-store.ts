import sql from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { forChanges } from '../storage/row-lock.ts';
import { operatorsSlug } from './realm.ts';
import type { Logo, SiteRow } from './site.ts';

const columns = sql`
  id, slug, title, domain, realm_host, scheme, languages, sign_up_policy, sign_up_domains, colour, logo_version, status, created_at`;

export async function insertSite(tx: Transaction, site: SiteRow): Promise<void> {
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, domain, scheme, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.domain}, ${site.scheme}, ${site.status},
            ${site.created_at}, ${site.created_at})`);
}

/** Makes the operators' hidden site. Gives false when it is there already. */
export async function insertRealm(tx: Transaction, site: SiteRow): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO sites (id, slug, title, realm_host, scheme, colour, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.realm_host}, ${site.scheme}, ${site.colour}, ${site.status},
            ${site.created_at}, ${site.created_at})
    ON CONFLICT (slug) DO NOTHING`);
  return inserted > 0;
}

export function selectRealm(db: Queries): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE slug = ${operatorsSlug}`);
}

export async function updateRealm(
  tx: Transaction,
  realmId: string,
  host: string,
  scheme: string,
): Promise<void> {
  await tx.run(sql`UPDATE sites SET realm_host = ${host}, scheme = ${scheme} WHERE id = ${realmId}`);
}

/** Locks a site's row until the transaction ends. */
export async function lockSite(tx: Transaction, siteId: string): Promise<void> {
  await tx.get(sql`SELECT id FROM sites WHERE id = ${siteId} ${forChanges(tx)}`);
}

export function selectSite(db: Queries, siteId: string): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE id = ${siteId}`);
}

/** The operators' hidden site goes by no name. */
export function selectSiteBySlug(db: Queries, slug: string): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE slug = ${slug} AND realm_host IS NULL`);
}

/** The other look-up without a site: its domain is what names it to visitors. */
export function selectSiteByDomain(db: Queries, domain: string): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE domain = ${domain}`);
}

export function selectSites(db: Queries): Promise<SiteRow[]> {
  return db.all<SiteRow>(sql`SELECT ${columns} FROM sites WHERE realm_host IS NULL ORDER BY id`);
}

/** The sites that were made first. */
export function selectOldestSites(db: Queries, limit: number): Promise<SiteRow[]> {
  return db.all<SiteRow>(
    sql`SELECT ${columns} FROM sites WHERE realm_host IS NULL ORDER BY id LIMIT ${limit}`,
  );
}

export async function selectEverySiteId(db: Queries): Promise<string[]> {
  return (await db.all<{ id: string }>(sql`SELECT id FROM sites ORDER BY id`)).map(({ id }) => id);
}

export async function updateSiteRow(tx: Transaction, site: SiteRow, at: Timestamp): Promise<void> {
  await tx.run(sql`
    UPDATE sites
    SET title = ${site.title}, domain = ${site.domain}, scheme = ${site.scheme}, languages = ${site.languages},
        sign_up_policy = ${site.sign_up_policy}, sign_up_domains = ${site.sign_up_domains}, colour = ${site.colour},
        logo_version = ${site.logo_version}, updated_at = ${at}
    WHERE id = ${site.id}`);
}

export function selectLogo(db: Queries, siteId: string): Promise<Logo | undefined> {
  return db.get<Logo>(
    sql`SELECT media_type AS "mediaType", content FROM site_logos WHERE site_id = ${siteId}`,
  );
}

export async function saveLogo(tx: Transaction, siteId: string, { mediaType, content }: Logo): Promise<void> {
  await tx.run(sql`
    INSERT INTO site_logos (site_id, media_type, content) VALUES (${siteId}, ${mediaType}, ${content})
    ON CONFLICT (site_id) DO UPDATE SET media_type = excluded.media_type, content = excluded.content`);
}

export async function deleteLogo(tx: Transaction, siteId: string): Promise<void> {
  await tx.run(sql`DELETE FROM site_logos WHERE site_id = ${siteId}`);
}
