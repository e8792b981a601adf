import { pauseAfter, type RetrySchedule } from '@gatehouse/contract/backoff';
import {
  millisecondsBetween,
  millisecondsPerDay,
  type Timestamp,
  timestampAfter,
} from '../../../base/clock.ts';
import { failuresOfFailing, isFailing, type StoredWebhook } from '../webhook.ts';
import type { Attempt } from './attempt.ts';
import type { SendResult } from './outgoing-message.ts';

// What follows from the result of an attempt, for its message and for its webhook, is decided here and nowhere else.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses are up to a tenth shorter or longer, so that many messages do not come at the same moment. */
const spread = [0.9, 1.1] as const;
/** The pauses before the second and each further attempt to send a message. */
const messageRetries: RetrySchedule = {
  pauses: [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  spread,
};
const maxAttempts = messageRetries.pauses.length + 1;
/** The pauses before a failing receiver is tried again. */
const receiverRetries: RetrySchedule = { pauses: [5 * second, 5 * minute, 30 * minute], spread };
/** A receiver that has failed for so long is disabled. */
const maxFailingMilliseconds = 5 * millisecondsPerDay;
/** The resource is gone for good (RFC 9110, section 15.5.11). */
const goneStatus = 410;

/** When a decision is made, and the source of its jitter. */
export interface Moment {
  readonly now: Timestamp;
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number;
}

/** What the results so far say about a receiver. */
export interface ReceiverHealth {
  /** Consecutive failed attempts. */
  readonly failures: number;
  /** Attempts that fail at the same time count as one, once the receiver is failing and until it is tried again. */
  readonly maxFailures: number;
  readonly failingSince: Timestamp | null;
  /** How long it last wanted Gatehouse to wait. */
  readonly retryAfterMilliseconds: number;
  /** Why its webhook has to be disabled; null if it has not. */
  readonly disable: 'gone' | 'failing' | null;
}

/** What follows for a message. After `give-up`, no other attempt is made. */
export type MessageDecision =
  | { readonly next: 'delivered' }
  | { readonly next: 'retry'; readonly attempt: number; readonly dueAt: Timestamp }
  | { readonly next: 'give-up' };

/** What follows for a webhook. While it is blocked, one message at a time is sent to try the receiver. */
export type WebhookDecision =
  | { readonly next: 'continue' }
  | { readonly next: 'block'; readonly until: Timestamp }
  | { readonly next: 'disable'; readonly reason: 'gone' | 'failing' };

/** What follows from a result. */
export interface Decision {
  readonly message: MessageDecision;
  readonly health: ReceiverHealth;
  /** Whether a failing receiver has accepted a message: the attempts that wait become due. */
  readonly isRecovered: boolean;
}

/** The health of a receiver at the beginning of a run, and with new settings. */
export function storedHealth({ failures, failingSince }: StoredWebhook): ReceiverHealth {
  const maxFailures = isFailing({ failures }) ? Number.POSITIVE_INFINITY : failuresOfFailing;
  return { failures, maxFailures, failingSince, retryAfterMilliseconds: 0, disable: null };
}

export function decide(
  { message, number }: Attempt,
  result: SendResult,
  health: ReceiverHealth,
  moment: Moment,
): Decision {
  if (result.error === null) {
    return {
      message: { next: 'delivered' },
      health: healthAfterSuccess(health),
      isRecovered: isFailing(health),
    };
  }
  // A test is sent once, and its failure says nothing about events.
  if (message.trigger === 'test') return { message: { next: 'give-up' }, health, isRecovered: false };
  const after = healthAfterFailure(health, result, moment.now);
  return { message: decideOnMessage(number, after, moment), health: after, isRecovered: false };
}

function healthAfterSuccess(health: ReceiverHealth): ReceiverHealth {
  return { ...health, failures: 0, maxFailures: failuresOfFailing, failingSince: null };
}

function healthAfterFailure(
  before: ReceiverHealth,
  { status, retryAfter = 0 }: SendResult,
  now: Timestamp,
): ReceiverHealth {
  const failingSince = before.failingSince ?? now;
  const hasFailedTooLong = millisecondsBetween(failingSince, now) >= maxFailingMilliseconds;
  const disable = status === goneStatus ? 'gone' : before.disable;
  return {
    failures: Math.min(before.failures + 1, before.maxFailures),
    maxFailures: before.maxFailures,
    failingSince,
    retryAfterMilliseconds: retryAfter * 1_000,
    disable: disable ?? (hasFailedTooLong ? 'failing' : null),
  };
}

function decideOnMessage(number: number, health: ReceiverHealth, { now, random }: Moment): MessageDecision {
  // While everything fails, it is not this message that cannot be delivered.
  const counted = isFailing(health) ? Math.min(number, maxAttempts - 1) : number;
  if (counted >= maxAttempts) return { next: 'give-up' };
  const pause = pauseAfter(messageRetries, counted, random());
  const milliseconds = Math.max(pause, health.retryAfterMilliseconds);
  return { next: 'retry', attempt: counted + 1, dueAt: timestampAfter(now, milliseconds) };
}

export function decideOnWebhook(health: ReceiverHealth, { now, random }: Moment): WebhookDecision {
  if (health.disable) return { next: 'disable', reason: health.disable };
  if (!isFailing(health)) return { next: 'continue' };
  const pause = pauseAfter(receiverRetries, health.failures - failuresOfFailing + 1, random());
  const milliseconds = Math.max(pause, health.retryAfterMilliseconds);
  return { next: 'block', until: timestampAfter(now, milliseconds) };
}
