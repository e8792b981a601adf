import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { booleanColumn, jsonColumn, TableColumns } from '../../storage/sql/columns.ts';
import { allValues, countOf, hasRow } from '../../storage/sql/results.ts';
import type { OfferedProvider, StoredLoginProvider } from './login-provider.ts';

const loginProviders = new TableColumns<StoredLoginProvider>('login_providers', {
  id: 'id',
  type: 'type',
  name: 'name',
  issuer: 'issuer',
  clientId: 'client_id',
  sealedSecret: 'sealed_secret',
  settings: jsonColumn('settings'),
  emailTrust: 'email_trust',
  groupsClaim: 'groups_claim',
  groupMap: jsonColumn('group_map'),
  enabled: booleanColumn('enabled'),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

const offeredProviders = new TableColumns<OfferedProvider>('login_providers', {
  id: 'id',
  type: 'type',
  name: 'name',
});

export async function insertLoginProvider(
  view: SiteData<Transaction>,
  provider: StoredLoginProvider,
): Promise<void> {
  await loginProviders.insert(view, [provider]);
}

export function selectLoginProvider(view: SiteData, id: string): Promise<StoredLoginProvider | undefined> {
  return loginProviders.first(view, sql`AND id = ${id}`);
}

/** All login providers of a site, oldest first. */
export function selectLoginProviders(view: SiteData): Promise<StoredLoginProvider[]> {
  return loginProviders.find(view, sql`ORDER BY id`);
}

export function selectProviderIds({ db, siteId }: SiteData): Promise<string[]> {
  return allValues(db, sql`SELECT id FROM login_providers WHERE site_id = ${siteId} ORDER BY id`);
}

/** Those with which people can log in, oldest first. */
export function selectOfferedProviders(view: SiteData): Promise<OfferedProvider[]> {
  return offeredProviders.find(view, sql`AND enabled ORDER BY id`);
}

export function countLoginProviders({ db, siteId }: SiteData): Promise<number> {
  return countOf(db, sql`SELECT count(*) AS count FROM login_providers WHERE site_id = ${siteId}`);
}

export async function updateLoginProviderRow(
  { db, siteId }: SiteData<Transaction>,
  provider: StoredLoginProvider,
): Promise<void> {
  await db.run(sql`
    UPDATE login_providers SET ${loginProviders.assignments(provider, ['id', 'type', 'issuer', 'createdAt'])}
    WHERE site_id = ${siteId} AND id = ${provider.id}`);
}

export async function deleteLoginProviderRow(
  { db, siteId }: SiteData<Transaction>,
  id: string,
): Promise<void> {
  await db.run(sql`DELETE FROM login_providers WHERE site_id = ${siteId} AND id = ${id}`);
}

/**
 * Notes at the site whether it has providers, enabled or not, so that pages and logins need no statement to know it. The
 * providers of the site are locked.
 */
export async function noteLoginProviders({ db, siteId }: SiteData<Transaction>): Promise<void> {
  const hasSome = await hasRow(
    db,
    sql`SELECT 1 AS one FROM login_providers WHERE site_id = ${siteId} LIMIT 1`,
  );
  const changed = await db.run(sql`
    UPDATE sites SET has_login_providers = ${hasSome} WHERE id = ${siteId} AND has_login_providers <> ${hasSome}`);
  // Sites are cached.
  if (changed > 0) await db.signal();
}
