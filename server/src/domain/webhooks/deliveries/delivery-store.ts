import type { DeliveryStatus } from '@gatehouse/contract';
import sql, { join, raw } from 'sql-template-tag';
import type { Timestamp } from '../../../base/clock.ts';
import type { TimeSpan } from '../../../base/days.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { jsonColumn, TableColumns } from '../../../storage/sql/columns.ts';
import { expiryOf } from '../../../storage/sql/expiring-rows.ts';
import { valueList } from '../../../storage/sql/value-list.ts';
import { disabledError } from '../webhook.ts';
import { deliveryRetentionMilliseconds, type StoredDelivery } from './delivery.ts';

const columns = new TableColumns<StoredDelivery>('webhook_deliveries', {
  id: 'id',
  webhookId: 'webhook_id',
  trigger: 'trigger',
  messageId: 'message_id',
  type: 'type',
  position: 'position',
  attempt: 'attempt',
  status: 'status',
  dueAt: 'due_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  durationMilliseconds: 'duration_ms',
  responseStatus: 'response_status',
  responseBody: 'response_body',
  error: jsonColumn('error'),
  nextAttemptAt: 'next_attempt_at',
});

export async function insertDeliveries(
  view: SiteData<Transaction>,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  if (deliveries.length > 0) await columns.insert(view, deliveries);
}

export function selectDelivery(
  view: SiteData,
  webhookId: string,
  deliveryId: string,
): Promise<StoredDelivery | undefined> {
  return columns.first(view, sql`AND id = ${deliveryId} AND webhook_id = ${webhookId}`);
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
): Promise<StoredDelivery[]> {
  const conditions = [
    sql`site_id = ${siteId} AND webhook_id = ${webhookId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(messageId === undefined ? [] : [sql`message_id = ${messageId}`]),
    ...(after === undefined ? [] : [sql`id < ${after}`]),
  ];
  return columns.all(
    db,
    sql`
    SELECT ${columns.list} FROM webhook_deliveries WHERE ${join(conditions, ' AND ')} ORDER BY id DESC LIMIT ${limit}`,
  );
}

/** How many attempts ended in each time span, without tests. */
export async function countEndedDeliveries(
  { db, siteId }: SiteData,
  webhookId: string,
  spans: readonly TimeSpan[],
): Promise<{ succeeded: number; failed: number }[]> {
  const whens = spans.map(({ end }, index) => sql`WHEN ended_at < ${end} THEN ${raw(`${index}`)}`);
  const rows = await db.all<{ span: number; status: DeliveryStatus; count: number }>(sql`
    SELECT CASE ${join(whens, ' ')} END AS span, status, count(*) AS count FROM webhook_deliveries
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND ended_at >= ${spans[0]!.start} AND trigger <> 'test'
    GROUP BY 1, 2`);
  return spans.map((_, index) => {
    const countOf = (status: DeliveryStatus) =>
      rows.find((row) => row.span === index && row.status === status)?.count ?? 0;
    return { succeeded: countOf('succeeded'), failed: countOf('failed') };
  });
}

/** The next attempts that are due, the earliest first. */
export function selectDueDeliveries(
  view: SiteData,
  webhookId: string,
  { now, limit }: { readonly now: Timestamp; readonly limit: number },
): Promise<StoredDelivery[]> {
  return columns.find(
    view,
    sql`AND webhook_id = ${webhookId} AND status = 'waiting' AND due_at <= ${now}
      ORDER BY due_at, id LIMIT ${limit}`,
  );
}

/** The waiting attempt of the earliest event, due or not. */
export function selectEarliestDelivery(
  view: SiteData,
  webhookId: string,
): Promise<StoredDelivery | undefined> {
  return columns.first(
    view,
    sql`AND webhook_id = ${webhookId} AND status = 'waiting' AND position IS NOT NULL
      ORDER BY position, id LIMIT 1`,
  );
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
  const row = await db.get<{ dueAt: Timestamp | null; events: number; testDueAt: Timestamp | null }>(sql`
    SELECT min(due_at) AS "dueAt", count(CASE WHEN trigger = 'event' THEN 1 END) AS events,
           min(CASE WHEN trigger = 'test' THEN due_at END) AS "testDueAt"
    FROM webhook_deliveries
    WHERE site_id = ${siteId} AND webhook_id = ${webhookId} AND status = 'waiting'`);
  const { dueAt, events, testDueAt } = row!;
  return { dueAt, hasEvent: events > 0, testDueAt };
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

/** Makes the attempts that wait due now: the receiver accepts messages again, or has another URL. */
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

/** Attempts that ended long ago. */
export const { find: findOldDeliveries, purge: purgeDeliveries } = expiryOf({
  table: 'webhook_deliveries',
  time: 'ended_at',
  retentionMilliseconds: deliveryRetentionMilliseconds,
});
