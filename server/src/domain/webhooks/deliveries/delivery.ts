import type { DeliveryError, DeliveryStatus, DeliveryTrigger, WebhookDelivery } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { Timestamp } from '../../../base/clock.ts';

/** A message for a webhook, of which attempts are made. */
export interface DeliveredMessage {
  readonly trigger: DeliveryTrigger;
  /** The id of the event; of its own for a test. */
  readonly messageId: string;
  readonly type: string;
  /** Of the event in the feed; null for a test. */
  readonly position: number | null;
}

export interface StoredDelivery extends DeliveredMessage {
  readonly id: string;
  readonly webhookId: string;
  readonly attempt: number;
  readonly status: DeliveryStatus;
  readonly dueAt: Timestamp | null;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly durationMilliseconds: number | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: DeliveryError | null;
  readonly nextAttemptAt: Timestamp | null;
}

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  trigger: string;
  message_id: string;
  type: string;
  position: number | null;
  attempt: number;
  status: string;
  due_at: Timestamp | null;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  duration_ms: number | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  next_attempt_at: Timestamp | null;
}

export function toStoredDelivery(row: DeliveryRow): StoredDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    trigger: row.trigger as DeliveryTrigger,
    messageId: row.message_id,
    type: row.type,
    position: row.position,
    attempt: row.attempt,
    status: row.status as DeliveryStatus,
    dueAt: row.due_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    durationMilliseconds: row.duration_ms,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    error: row.error === null ? null : JSON.parse(row.error),
    nextAttemptAt: row.next_attempt_at,
  };
}

export function toDelivery(stored: StoredDelivery): WebhookDelivery {
  const { position: _, endedAt: __, ...shown } = stored;
  return shown as WebhookDelivery;
}

export function deliveryNotFound(): ApiError {
  return new ApiError(
    'webhook_delivery_not_found',
    'This webhook has no delivery with this ID, or it is too old. Check both IDs.',
  );
}
