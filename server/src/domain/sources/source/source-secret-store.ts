import sql, { join } from 'sql-template-tag';
import type { Queries, Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';

export interface SourceSecretRow {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** The sealed secrets of a site, by id. */
export function selectSecrets({ db, siteId }: SiteData): Promise<SourceSecretRow[]> {
  return db.all<SourceSecretRow>(
    sql`SELECT id, name, secret FROM sources WHERE site_id = ${siteId} AND secret IS NOT NULL ORDER BY id`,
  );
}

/** The sites with secrets that begin with one of these texts. */
export async function selectSitesWithSecrets(db: Queries, prefixes: readonly string[]): Promise<string[]> {
  const forms = prefixes.map((prefix) => sql`secret LIKE ${`${prefix}%`}`);
  const rows = await db.all<{ site_id: string }>(
    sql`SELECT DISTINCT site_id FROM sources WHERE ${join(forms, ' OR ')}`,
  );
  return rows.map(({ site_id }) => site_id);
}

/** Replaces a secret, unless it was changed since it was read. */
export async function replaceSecret(
  { db, siteId }: SiteData<Transaction>,
  { id, secret }: SourceSecretRow,
  replacement: string,
): Promise<void> {
  await db.run(sql`
    UPDATE sources SET secret = ${replacement} WHERE site_id = ${siteId} AND id = ${id} AND secret = ${secret}`);
}
