import type { ReplayWebhook, Webhook, WebhookDeliveryCounts } from '@gatehouse/contract';
import { webhookDeliveryDays } from '@gatehouse/contract/limits';
import { ApiError, invalidRequest, requireTimestamp } from '../../../base/api-error.ts';
import { type Timestamp, timestampBefore } from '../../../base/clock.ts';
import { lastDays } from '../../../base/days.ts';
import type { SecretBox } from '../../../base/encryption/secret-box.ts';
import { newId, timeOfId } from '../../../base/ids.ts';
import { type Page, type PageQuery, pageOf } from '../../../base/page.ts';
import type { SiteData, SiteView } from '../../../storage/site-view.ts';
import { invalidCursor } from '../../cursors/cursor-tombstones.ts';
import type { Change } from '../../events/change.ts';
import { findFeedPosition, findFeedRange } from '../../events/events.ts';
import { showWebhook, webhookDisabled } from '../webhook.ts';
import { findMessage, testMessageType } from '../webhook-message.ts';
import { makeWebhookDue, updateWebhookRow } from '../webhook-store.ts';
import { findStoredWebhook, lockWebhook } from '../webhooks.ts';
import { waitingDelivery } from './attempt.ts';
import {
  type DeliveredMessage,
  deliveryNotFound,
  deliveryRetentionMilliseconds,
  type StoredDelivery,
} from './delivery.ts';
import {
  countEndedDeliveries,
  type DeliveryFilter,
  insertDeliveries,
  selectDeliveries,
  selectDelivery,
} from './delivery-store.ts';

export interface DeliveryQuery extends DeliveryFilter, PageQuery {}

/** Lists the attempts of a webhook, newest first. @throws {ApiError} `webhook_not_found`, `invalid_cursor` */
export async function listDeliveries(
  view: SiteView,
  webhookId: string,
  { after, limit, ...filter }: DeliveryQuery,
): Promise<Page<StoredDelivery>> {
  await findStoredWebhook(view, webhookId);
  // Its place in the list follows from the id alone, also after it was purged.
  if (after !== undefined && !(await selectDelivery(view, webhookId, after)) && !isPurged(after, view.now))
    throw invalidCursor();
  const rows = await selectDeliveries(view, webhookId, filter, after, limit + 1);
  return pageOf(rows, limit);
}

/** How many attempts of the last days have succeeded and failed. @throws {ApiError} `webhook_not_found`, `invalid_request` */
export async function countDeliveries(
  view: SiteView,
  webhookId: string,
  timeZone: string,
): Promise<WebhookDeliveryCounts> {
  const days = lastDays(webhookDeliveryDays, timeZone, view.now);
  await findStoredWebhook(view, webhookId);
  const counts = await countEndedDeliveries(view, webhookId, days);
  return { days: days.map(({ date }, index) => ({ date, ...counts[index]! })) };
}

function isPurged(deliveryId: string, now: Timestamp): boolean {
  return timeOfId(deliveryId) < timestampBefore(now, deliveryRetentionMilliseconds);
}

export interface DeliveryWithRequest {
  readonly delivery: StoredDelivery;
  /** As in `findMessage`. */
  readonly requestBody: string | null;
}

/** @throws {ApiError} `webhook_not_found`, `webhook_delivery_not_found` */
export async function findDelivery(
  view: SiteData,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryWithRequest> {
  const webhook = await findStoredWebhook(view, webhookId);
  const delivery = await findStoredDelivery(view, webhookId, deliveryId);
  return { delivery, requestBody: await findMessage(view, webhook, delivery) };
}

async function findStoredDelivery(
  view: SiteData,
  webhookId: string,
  deliveryId: string,
): Promise<StoredDelivery> {
  const delivery = await selectDelivery(view, webhookId, deliveryId);
  if (!delivery) throw deliveryNotFound();
  return delivery;
}

/** Sends a test as soon as possible. @throws {ApiError} `webhook_not_found`, `webhook_disabled` */
export async function requestTest(change: Change, webhookId: string): Promise<StoredDelivery> {
  const { enabled } = await lockWebhook(change, webhookId);
  if (!enabled) throw webhookDisabled();
  const message = { trigger: 'test', messageId: newId(), type: testMessageType, position: null } as const;
  return sendSoon(change, webhookId, message);
}

/**
 * Sends the message of an attempt again as soon as possible.
 * @throws {ApiError} `webhook_not_found`, `webhook_delivery_not_found`, `webhook_disabled`
 */
export async function replayDelivery(
  change: Change,
  webhookId: string,
  deliveryId: string,
): Promise<StoredDelivery> {
  const { enabled } = await lockWebhook(change, webhookId);
  const delivery = await findStoredDelivery(change, webhookId, deliveryId);
  if (!enabled) throw webhookDisabled();
  const trigger = delivery.trigger === 'test' ? 'test' : 'replay';
  return sendSoon(change, webhookId, { ...delivery, trigger });
}

async function sendSoon(
  change: Change,
  webhookId: string,
  message: DeliveredMessage,
): Promise<StoredDelivery> {
  const { now } = change;
  const delivery = waitingDelivery({ id: newId(), webhookId, message, number: 1 }, now);
  await insertDeliveries(change, [delivery]);
  await makeWebhookDue(change, webhookId, now);
  return delivery;
}

/** What is needed to replay events. */
export interface ReplayParts {
  readonly secrets: SecretBox;
  readonly retentionDays: number;
}

/**
 * Replays the events of a time.
 * @throws {ApiError} `webhook_not_found`, `webhook_disabled`, `webhook_replays`, `invalid_request`
 */
export async function replayEvents(
  change: Change,
  webhookId: string,
  { since: submittedSince, until: submittedUntil, eventTypes = null }: ReplayWebhook,
  { secrets, retentionDays }: ReplayParts,
): Promise<Webhook> {
  const { siteId, now } = change;
  const since = requireTimestamp('/since', submittedSince);
  const until = submittedUntil === undefined ? now : requireTimestamp('/until', submittedUntil);
  if (until <= since) throw invalidRequest('/until', 'until must be later than since.');
  const webhook = await lockWebhook(change, webhookId);
  if (!webhook.enabled) throw webhookDisabled();
  if (webhook.replay) {
    throw new ApiError(
      'webhook_replays',
      'Events are already being sent again to this webhook. Wait until they have been sent.',
    );
  }
  const { position, end } = await findPositions(change, { since, until }, retentionDays);
  const replay = { id: newId(), since, until, eventTypes, start: position, position, end };
  const after = { ...webhook, replay };
  await updateWebhookRow(change, after);
  await makeWebhookDue(change, webhookId, now);
  return showWebhook(secrets, siteId, after);
}

/** The part of the feed with the events of a time. */
async function findPositions(
  change: Change,
  time: { readonly since: Timestamp; readonly until: Timestamp },
  retentionDays: number,
): Promise<{ position: number; end: number }> {
  const { span } = await findFeedRange(change, { ...time, limit: 1 }, 'asc', retentionDays);
  const last = (await findFeedPosition(change)) ?? 0;
  return { position: span.after, end: Math.min(span.before - 1, last) };
}

export { findOldDeliveries, purgeDeliveries } from './delivery-store.ts';
