import sql from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { forChanges } from '../storage/row-lock.ts';
import type { SiteRow } from './site.ts';

const columns = sql`id, slug, title, domain, status, created_at`;

export async function insertSite(tx: Transaction, site: SiteRow): Promise<void> {
  await tx.run(sql`
    INSERT INTO sites (id, slug, title, domain, status, created_at, updated_at)
    VALUES (${site.id}, ${site.slug}, ${site.title}, ${site.domain}, ${site.status}, ${site.created_at}, ${site.created_at})`);
}

/** Locks a site's row until the transaction ends. */
export async function lockSite(tx: Transaction, siteId: string): Promise<void> {
  await tx.get(sql`SELECT id FROM sites WHERE id = ${siteId} ${forChanges(tx)}`);
}

export function selectSite(db: Queries, siteId: string): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE id = ${siteId}`);
}

export function selectSiteBySlug(db: Queries, slug: string): Promise<SiteRow | undefined> {
  return db.get<SiteRow>(sql`SELECT ${columns} FROM sites WHERE slug = ${slug}`);
}

export function selectSites(db: Queries): Promise<SiteRow[]> {
  return db.all<SiteRow>(sql`SELECT ${columns} FROM sites ORDER BY id`);
}

export async function updateSiteRow(
  tx: Transaction,
  siteId: string,
  title: string,
  domain: string | null,
  at: Timestamp,
): Promise<void> {
  await tx.run(
    sql`UPDATE sites SET title = ${title}, domain = ${domain}, updated_at = ${at} WHERE id = ${siteId}`,
  );
}
