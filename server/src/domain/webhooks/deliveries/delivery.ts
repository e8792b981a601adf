import type { DeliveryError, DeliveryStatus, DeliveryTrigger } from '@gatehouse/contract';
import { webhookDeliveryDays } from '@gatehouse/contract/limits';
import { ApiError } from '../../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp } from '../../../base/clock.ts';

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

/** How long an attempt is stored after its end. */
export const deliveryRetentionMilliseconds = webhookDeliveryDays * millisecondsPerDay;

export function deliveryNotFound(): ApiError {
  return new ApiError(
    'webhook_delivery_not_found',
    'This webhook has no delivery with this ID, or it is too old. Check both IDs.',
  );
}
