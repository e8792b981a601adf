import type { Timestamp } from '../../../base/clock.ts';
import type { DeliveredMessage, StoredDelivery } from './delivery.ts';
import type { SendResult } from './outgoing-message.ts';

/** An attempt to send a message. */
export interface Attempt {
  /** The id of the delivery. */
  readonly id: string;
  readonly webhookId: string;
  readonly message: DeliveredMessage;
  /** 1 for the first. */
  readonly number: number;
}

/** When an attempt ended, and when the next one is made; null if none follows. */
export interface AttemptTimes {
  readonly endedAt: Timestamp;
  readonly nextAttemptAt: Timestamp | null;
}

/** An attempt that waits until a time. */
export function waitingDelivery(attempt: Attempt, dueAt: Timestamp): StoredDelivery {
  const { id, webhookId, message } = attempt;
  return {
    id,
    webhookId,
    trigger: message.trigger,
    messageId: message.messageId,
    type: message.type,
    position: message.position,
    attempt: attempt.number,
    status: 'waiting',
    dueAt,
    startedAt: null,
    endedAt: null,
    durationMilliseconds: null,
    responseStatus: null,
    responseBody: null,
    error: null,
    nextAttemptAt: null,
  };
}

/** An attempt with its result. */
export function endedDelivery(
  attempt: Attempt,
  result: SendResult,
  { endedAt, nextAttemptAt }: AttemptTimes,
): StoredDelivery {
  const { startedAt, durationMilliseconds, status, responseBody, error } = result;
  return {
    ...waitingDelivery(attempt, startedAt),
    status: error === null ? 'succeeded' : 'failed',
    dueAt: null,
    startedAt,
    endedAt,
    durationMilliseconds,
    responseStatus: status,
    responseBody,
    error,
    nextAttemptAt,
  };
}

/** An attempt that could not be made, because its event was purged. */
export function deletedEventDelivery(attempt: Attempt, at: Timestamp): StoredDelivery {
  return {
    ...waitingDelivery(attempt, at),
    status: 'failed',
    dueAt: null,
    endedAt: at,
    error: {
      code: 'event_deleted',
      message: 'The event is no longer stored, so that it could not be sent again.',
    },
  };
}
