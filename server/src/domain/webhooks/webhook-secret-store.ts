import sql, { join } from 'sql-template-tag';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { SealedUrl } from './webhook.ts';

export interface WebhookSecretRow {
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly secret: string;
  readonly previous_secret: string | null;
}

/** The sealed secrets and URLs of a site, by id. */
export function selectWebhookSecrets({ db, siteId }: SiteData): Promise<WebhookSecretRow[]> {
  return db.all(
    sql`SELECT id, url, host, secret, previous_secret FROM webhooks WHERE site_id = ${siteId} ORDER BY id`,
  );
}

/** The sites with secrets or URLs that begin with one of these texts. */
export async function selectSitesWithWebhookSecrets(
  db: Queries,
  prefixes: readonly string[],
): Promise<string[]> {
  const forms = prefixes.map(
    (prefix) =>
      sql`url LIKE ${`${prefix}%`} OR secret LIKE ${`${prefix}%`} OR previous_secret LIKE ${`${prefix}%`}`,
  );
  const rows = await db.all<{ site_id: string }>(
    sql`SELECT DISTINCT site_id FROM webhooks WHERE ${join(forms, ' OR ')}`,
  );
  return rows.map(({ site_id }) => site_id);
}

/** Replaces the secrets, unless they were changed since they were read. */
export async function replaceWebhookSecrets(
  { db, siteId }: SiteData<Transaction>,
  { id, secret }: WebhookSecretRow,
  replacement: Pick<WebhookSecretRow, 'secret' | 'previous_secret'>,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET secret = ${replacement.secret},
        previous_secret = CASE WHEN previous_secret IS NOT NULL THEN ${replacement.previous_secret} END
    WHERE site_id = ${siteId} AND id = ${id} AND secret = ${secret}`);
}

/** Replaces the URL, unless it was changed since it was read. */
export async function replaceWebhookUrl(
  { db, siteId }: SiteData<Transaction>,
  { id, url }: WebhookSecretRow,
  { sealedUrl, host }: SealedUrl,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET url = ${sealedUrl}, host = ${host}
    WHERE site_id = ${siteId} AND id = ${id} AND url = ${url}`);
}
