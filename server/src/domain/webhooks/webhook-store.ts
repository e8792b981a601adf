import sql, { empty, raw } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction, Value } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { SealedUrl, StoredWebhook, WebhookRow } from './webhook.ts';

/** The columns of a `WebhookRow`, each with its value. */
const columnValues: readonly (readonly [string, (webhook: StoredWebhook) => Value])[] = [
  ['id', ({ id }) => id],
  ['url', ({ sealedUrl }) => sealedUrl],
  ['host', ({ host }) => host],
  ['description', ({ description }) => description],
  ['event_types', ({ eventTypes }) => textOf(eventTypes)],
  ['group_ids', ({ groupIds }) => textOf(groupIds)],
  ['content', ({ content }) => content],
  ['parallelism', ({ parallelism }) => parallelism],
  ['enabled', ({ enabled }) => enabled],
  ['disabled_reason', ({ disabledReason }) => disabledReason],
  ['secret', ({ secret }) => secret],
  ['previous_secret', ({ previousSecret }) => previousSecret],
  ['previous_secret_until', ({ previousSecretUntil }) => previousSecretUntil],
  ['position', ({ position }) => position],
  ['replay', ({ replay }) => textOf(replay)],
  ['failures', ({ failures }) => failures],
  ['failing_since', ({ failingSince }) => failingSince],
  ['due_at', ({ dueAt }) => dueAt],
  ['created_at', ({ createdAt }) => createdAt],
  ['updated_at', ({ updatedAt }) => updatedAt],
];
const columnNames = columnValues.map(([name]) => name);
export const webhookColumns = raw(columnNames.join(', '));

export async function insertWebhook(
  { db, siteId }: SiteData<Transaction>,
  webhook: StoredWebhook,
): Promise<void> {
  const values = columnValues.map(([, valueIn]) => valueIn(webhook));
  await db.insert('webhooks', ['site_id', ...columnNames, 'follows_feed'], [[siteId, ...values, true]]);
}

function textOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

export function selectWebhook({ db, siteId }: SiteData, webhookId: string): Promise<WebhookRow | undefined> {
  return db.get(sql`SELECT ${webhookColumns} FROM webhooks WHERE site_id = ${siteId} AND id = ${webhookId}`);
}

/** Locks a webhook until the transaction ends. */
export function lockWebhookRow(
  { db, siteId }: SiteData<Transaction>,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  return db.get(sql`
    SELECT ${webhookColumns} FROM webhooks WHERE site_id = ${siteId} AND id = ${webhookId} ${forUpdate(db)}`);
}

/** A page of webhooks, newest first. */
export function selectWebhooks(
  { db, siteId }: SiteData,
  after: string | undefined,
  limit: number,
): Promise<WebhookRow[]> {
  return db.all(sql`
    SELECT ${webhookColumns} FROM webhooks
    WHERE site_id = ${siteId} ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

/** Webhooks with at least this number of consecutive failures, and those that were disabled without a request, newest first. */
export function selectFailingWebhooks(
  { db, siteId }: SiteData,
  failures: number,
  limit: number,
): Promise<WebhookRow[]> {
  return db.all(sql`
    SELECT ${webhookColumns} FROM webhooks
    WHERE site_id = ${siteId} AND ((enabled AND failures >= ${failures}) OR disabled_reason <> 'request')
    ORDER BY id DESC LIMIT ${limit}`);
}

export async function countEnabledWebhooks({ db, siteId }: SiteData): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM webhooks WHERE site_id = ${siteId} AND enabled`,
  );
  return row!.count;
}

/** Stores what a request may change beside the URL: settings and secrets, and with them the state of the delivery. */
export async function updateWebhookRow(
  { db, siteId }: SiteData<Transaction>,
  webhook: StoredWebhook,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks
    SET description = ${webhook.description}, event_types = ${textOf(webhook.eventTypes)},
        group_ids = ${textOf(webhook.groupIds)}, content = ${webhook.content}, parallelism = ${webhook.parallelism},
        enabled = ${webhook.enabled}, disabled_reason = ${webhook.disabledReason}, secret = ${webhook.secret},
        previous_secret = ${webhook.previousSecret}, previous_secret_until = ${webhook.previousSecretUntil},
        position = ${webhook.position}, replay = ${textOf(webhook.replay)}, failures = ${webhook.failures},
        failing_since = ${webhook.failingSince}, due_at = ${webhook.dueAt}, updated_at = ${webhook.updatedAt}
    WHERE site_id = ${siteId} AND id = ${webhook.id}`);
}

export async function updateWebhookUrl(
  { db, siteId }: SiteData<Transaction>,
  webhookId: string,
  { sealedUrl, host }: SealedUrl,
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET url = ${sealedUrl}, host = ${host} WHERE site_id = ${siteId} AND id = ${webhookId}`);
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
export function selectWebhooksWithEndedSecrets(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM webhooks WHERE previous_secret_until <= ${now} ORDER BY previous_secret_until LIMIT ${limit}`);
}

export async function deleteEndedSecrets(
  { db, siteId, now }: SiteView<Transaction>,
  webhookIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    UPDATE webhooks SET previous_secret = NULL, previous_secret_until = NULL
    WHERE site_id = ${siteId} AND id IN ${valueList(webhookIds)} AND previous_secret_until <= ${now}`);
}
