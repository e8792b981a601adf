import type { DeliveryStatus } from '@gatehouse/contract';
import sql, { join, raw } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { Queries, Transaction, Value } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import { disabledError } from '../webhook.ts';
import type { DeliveryRow, StoredDelivery } from './delivery.ts';

/** The columns of a `DeliveryRow`, each with its value. */
const columnValues: readonly (readonly [string, (delivery: StoredDelivery) => Value])[] = [
  ['id', ({ id }) => id],
  ['webhook_id', ({ webhookId }) => webhookId],
  ['trigger', ({ trigger }) => trigger],
  ['message_id', ({ messageId }) => messageId],
  ['type', ({ type }) => type],
  ['position', ({ position }) => position],
  ['attempt', ({ attempt }) => attempt],
  ['status', ({ status }) => status],
  ['due_at', ({ dueAt }) => dueAt],
  ['started_at', ({ startedAt }) => startedAt],
  ['ended_at', ({ endedAt }) => endedAt],
  ['duration_ms', ({ durationMilliseconds }) => durationMilliseconds],
  ['response_status', ({ responseStatus }) => responseStatus],
  ['response_body', ({ responseBody }) => responseBody],
  ['error', ({ error }) => error && JSON.stringify(error)],
  ['next_attempt_at', ({ nextAttemptAt }) => nextAttemptAt],
];
const columnNames = columnValues.map(([name]) => name);
const columns = raw(columnNames.join(', '));

export async function insertDeliveries(
  { db, siteId }: SiteData<Transaction>,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((each) => [siteId, ...columnValues.map(([, valueIn]) => valueIn(each))]);
  await db.insert('webhook_deliveries', ['site_id', ...columnNames], rows);
}

export function selectDelivery(
  { db, siteId }: SiteData,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return db.get(sql`
    SELECT ${columns} FROM webhook_deliveries
    WHERE site_id = ${siteId} AND id = ${deliveryId} AND webhook_id = ${webhookId}`);
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus;
  readonly type?: string;
  readonly messageId?: string;
}

/** A page of attempts, newest first. */
export function selectDeliveries(
  { db, siteId }: SiteData,
  webhookId: string,
  { status, type, messageId }: DeliveryFilter,
  after: string | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const conditions = [
    sql`site_id = ${siteId} AND webhook_id = ${webhookId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(messageId === undefined ? [] : [sql`message_id = ${messageId}`]),
    ...(after === undefined ? [] : [sql`id < ${after}`]),
  ];
  return db.all(sql`
    SELECT ${columns} FROM webhook_deliveries WHERE ${join(conditions, ' AND ')} ORDER BY id DESC LIMIT ${limit}`);
}

/** The next attempts that are due, the earliest first. */
export function selectDueDeliveries(
  { db, siteId }: SiteData,
  webhookId: string,
  { now, limit }: { readonly now: Timestamp; readonly limit: number },
): Promise<DeliveryRow[]> {
  return db.all(sql`
    SELECT ${columns} FROM webhook_deliveries
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND status = 'waiting' AND due_at <= ${now}
    ORDER BY due_at, id LIMIT ${limit}`);
}

/** The waiting attempt of the earliest event. */
export function selectEarliestDelivery(
  { db, siteId }: SiteData,
  webhookId: string,
): Promise<DeliveryRow | undefined> {
  return db.get(sql`
    SELECT ${columns} FROM webhook_deliveries
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND status = 'waiting' AND position IS NOT NULL
    ORDER BY position, id LIMIT 1`);
}

export interface WaitingDeliveries {
  /** When the first of them is due; null if there is none. */
  readonly dueAt: Timestamp | null;
  /** Whether one of them is a new event. */
  readonly hasEvent: boolean;
  /** When the first test is due; null if there is none. */
  readonly testDueAt: Timestamp | null;
}

export async function findWaitingDeliveries(
  { db, siteId }: SiteData,
  webhookId: string,
): Promise<WaitingDeliveries> {
  const row = await db.get<{ due_at: Timestamp | null; events: number; test_due_at: Timestamp | null }>(sql`
    SELECT min(due_at) AS due_at, count(CASE WHEN trigger = 'event' THEN 1 END) AS events,
           min(CASE WHEN trigger = 'test' THEN due_at END) AS test_due_at
    FROM webhook_deliveries
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND status = 'waiting'`);
  return { dueAt: row!.due_at, hasEvent: row!.events > 0, testDueAt: row!.test_due_at };
}

export async function deleteDeliveries(
  { db, siteId }: SiteData<Transaction>,
  deliveryIds: readonly string[],
): Promise<void> {
  if (deliveryIds.length === 0) return;
  await db.run(
    sql`DELETE FROM webhook_deliveries WHERE site_id = ${siteId} AND id IN ${valueList(deliveryIds)}`,
  );
}

/** Makes the attempts that wait due now: the receiver accepts messages again, or has another address. */
export async function makeDeliveriesDue(
  { db, siteId, now }: SiteView<Transaction>,
  webhookId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE webhook_deliveries SET due_at = ${now}
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND status = 'waiting' AND due_at > ${now}`);
}

/** Ends the attempts that wait, because the webhook was disabled or deleted. */
export async function endWaitingDeliveries(
  { db, siteId, now }: SiteView<Transaction>,
  webhookId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE webhook_deliveries
    SET status = 'failed', due_at = NULL, ended_at = ${now}, error = ${JSON.stringify(disabledError)}
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND status = 'waiting'`);
}

/** A few attempts that ended before a time, over all sites. */
export function selectDeliveriesEndedBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM webhook_deliveries WHERE ended_at <= ${time} ORDER BY ended_at LIMIT ${limit}`);
}
