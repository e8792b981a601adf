import type { Timestamp } from '../../base/clock.ts';
import { type StoredDelivery, waitingDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import type { SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import type { TakenMessage } from './delivery-queue.ts';

/** An attempt with its result. @param nextAttemptAt null if no other one follows */
export function endedDelivery(
  webhookId: string,
  { deliveryId, message, attempt }: TakenMessage,
  { startedAt, durationMilliseconds, status, responseBody, error }: SendResult,
  endedAt: Timestamp,
  nextAttemptAt: Timestamp | null,
): StoredDelivery {
  return {
    ...waitingDelivery(deliveryId, webhookId, message, attempt, startedAt),
    state: error === null ? 'succeeded' : 'failed',
    ...{ dueAt: null, startedAt, endedAt, durationMilliseconds },
    ...{ responseStatus: status, responseBody, error, nextAttemptAt },
  };
}

/** An attempt that could not be made, because its event was purged. */
export function deletedEventDelivery(
  webhookId: string,
  { deliveryId, message, attempt }: TakenMessage,
  at: Timestamp,
): StoredDelivery {
  return {
    ...waitingDelivery(deliveryId, webhookId, message, attempt, at),
    ...{ state: 'failed', dueAt: null, endedAt: at },
    error: {
      code: 'event_deleted',
      message: 'The event is no longer stored, so that it could not be sent again.',
    },
  };
}
