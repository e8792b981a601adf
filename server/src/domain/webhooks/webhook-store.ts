import sql from 'sql-template-tag';
import { idsOf } from '../../base/ids.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { booleanColumn, jsonColumn, TableColumns } from '../../storage/sql/columns.ts';
import { type ExpiredRow, expiryOf } from '../../storage/sql/expiring-rows.ts';
import { countOf } from '../../storage/sql/results.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { StoredWebhook } from './webhook.ts';

export const webhookColumns = new TableColumns<StoredWebhook>('webhooks', {
  id: 'id',
  sealedUrl: 'url',
  host: 'host',
  description: 'description',
  eventTypes: jsonColumn('event_types'),
  groupIds: jsonColumn('group_ids'),
  content: 'content',
  parallelism: 'parallelism',
  enabled: booleanColumn('enabled'),
  disabledReason: 'disabled_reason',
  secret: 'secret',
  previousSecret: 'previous_secret',
  previousSecretUntil: 'previous_secret_until',
  position: 'position',
  replay: jsonColumn('replay'),
  failures: 'failures',
  failingSince: 'failing_since',
  dueAt: 'due_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export async function insertWebhook(view: SiteData<Transaction>, webhook: StoredWebhook): Promise<void> {
  await webhookColumns.insert(view, [webhook], { more: { follows_feed: true } });
}

export function selectWebhook(view: SiteData, webhookId: string): Promise<StoredWebhook | undefined> {
  return webhookColumns.first(view, sql`AND id = ${webhookId}`);
}

/** Locks a webhook until the transaction ends. */
export function lockWebhookRow(
  view: SiteData<Transaction>,
  webhookId: string,
): Promise<StoredWebhook | undefined> {
  return webhookColumns.first(view, sql`AND id = ${webhookId} ${forUpdate(view.db)}`);
}

/** A page of webhooks, newest first. */
export function selectWebhooks(
  view: SiteData,
  after: string | undefined,
  limit: number,
): Promise<StoredWebhook[]> {
  return webhookColumns.page(view, after, limit);
}

/** Webhooks with at least this number of consecutive failures, and those that were disabled without a request, newest first. */
export function selectFailingWebhooks(
  view: SiteData,
  failures: number,
  limit: number,
): Promise<StoredWebhook[]> {
  return webhookColumns.find(
    view,
    sql`AND ((enabled AND failures >= ${failures}) OR disabled_reason <> 'request')
      ORDER BY id DESC LIMIT ${limit}`,
  );
}

export function countEnabledWebhooks({ db, siteId }: SiteData): Promise<number> {
  return countOf(db, sql`SELECT count(*) AS count FROM webhooks WHERE site_id = ${siteId} AND enabled`);
}

/** Stores what a request may change, and with it the state of the delivery. */
export async function updateWebhookRow(
  { db, siteId }: SiteData<Transaction>,
  webhook: StoredWebhook,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET ${webhookColumns.assignments(webhook, ['id', 'createdAt'])}
    WHERE site_id = ${siteId} AND id = ${webhook.id}`);
}

/** Makes a webhook due: it is claimed as soon as possible. */
export async function makeWebhookDue(
  { db, siteId }: SiteData<Transaction>,
  webhookId: string,
  at: string,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET due_at = ${at}, follows_feed = ${true} WHERE site_id = ${siteId} AND id = ${webhookId}`);
}

export async function deleteWebhookRow(
  { db, siteId }: SiteData<Transaction>,
  webhookId: string,
): Promise<void> {
  await db.run(sql`DELETE FROM webhooks WHERE site_id = ${siteId} AND id = ${webhookId}`);
}

/** A few webhooks with a secret that no longer signs, over all sites. */
export const { find: findEndedWebhookSecrets } = expiryOf({
  table: 'webhooks',
  time: 'previous_secret_until',
});

/** Deletes the secrets of webhooks that no longer sign. */
export async function purgeWebhookSecrets(
  { db, siteId, now }: SiteView<Transaction>,
  webhooks: readonly ExpiredRow[],
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET previous_secret = NULL, previous_secret_until = NULL
    WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(webhooks))} AND previous_secret_until <= ${now}`);
}
