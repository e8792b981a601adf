import type { SavedView } from '@gatehouse/contract/dashboard';
import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';

/** Whose a view is: of one operator, on one site. */
export interface ViewOwner {
  readonly personId: string;
  readonly operatedSiteId: string;
}

const columns = sql`id, name, search, created_at AS "createdAt"`;

/** The saved views of an operator on a site, oldest first. */
export function selectViews(
  { db, siteId: tenantId }: SiteData,
  { personId, operatedSiteId }: ViewOwner,
): Promise<SavedView[]> {
  return db.all(sql`
    SELECT ${columns} FROM saved_views
    WHERE site_id = ${tenantId} AND operator_id = ${personId} AND operated_site_id = ${operatedSiteId}
    ORDER BY id`);
}

export function selectView(
  { db, siteId: tenantId }: SiteData,
  personId: string,
  viewId: string,
): Promise<SavedView | undefined> {
  return db.get(sql`
    SELECT ${columns} FROM saved_views
    WHERE site_id = ${tenantId} AND id = ${viewId} AND operator_id = ${personId}`);
}

export async function insertView(
  { db, siteId: tenantId }: SiteData<Transaction>,
  { personId, operatedSiteId }: ViewOwner,
  { id, name, search, createdAt }: SavedView,
): Promise<void> {
  await db.run(sql`
    INSERT INTO saved_views (site_id, id, operator_id, operated_site_id, name, search, created_at)
    VALUES (${tenantId}, ${id}, ${personId}, ${operatedSiteId}, ${name}, ${search}, ${createdAt})`);
}

export async function updateView(
  { db, siteId: tenantId }: SiteData<Transaction>,
  { id, name, search }: SavedView,
): Promise<void> {
  await db.run(
    sql`UPDATE saved_views SET name = ${name}, search = ${search} WHERE site_id = ${tenantId} AND id = ${id}`,
  );
}

/** Returns whether there was one. */
export async function deleteView(
  { db, siteId: tenantId }: SiteData<Transaction>,
  personId: string,
  viewId: string,
): Promise<boolean> {
  const deleted = await db.run(
    sql`DELETE FROM saved_views WHERE site_id = ${tenantId} AND id = ${viewId} AND operator_id = ${personId}`,
  );
  return deleted > 0;
}

export async function deleteViewsOf(
  { db, siteId: tenantId }: SiteData<Transaction>,
  { personId, operatedSiteId }: ViewOwner,
): Promise<void> {
  await db.run(sql`
    DELETE FROM saved_views
    WHERE site_id = ${tenantId} AND operator_id = ${personId} AND operated_site_id = ${operatedSiteId}`);
}
