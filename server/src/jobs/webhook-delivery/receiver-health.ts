import { millisecondsBetween, type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { failuresOfFailing, isFailing, type StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { maxAttempts, maxFailingMilliseconds, pauseAfterAttempt, pauseOfFailing } from './retry-schedule.ts';

const goneStatus = 410;

/** The next attempt to send a message that has failed. */
export interface NextAttempt {
  readonly attempt: number;
  readonly dueAt: Timestamp;
}

/** Whether a receiver takes what is sent, and when it is tried again. */
export class ReceiverHealth {
  failures: number;
  failingSince: Timestamp | null;
  /** Why the webhook has to be disabled. */
  end: 'gone' | 'failing' | undefined;
  readonly #random: () => number;
  /** Several attempts that fail at the same time count as one, until the receiver is tried again. */
  #maxFailures: number;
  #lastRetryAfter = 0;

  constructor({ failures, failingSince }: StoredWebhook, random: () => number) {
    this.failures = failures;
    this.failingSince = failingSince;
    this.#random = random;
    this.#maxFailures = this.isFailing ? Number.POSITIVE_INFINITY : failuresOfFailing;
  }

  get isFailing(): boolean {
    return isFailing(this);
  }

  succeeded(): void {
    this.failures = 0;
    this.#maxFailures = failuresOfFailing;
    this.failingSince = null;
  }

  /** @returns when the message is sent again; undefined after its last attempt */
  failed(attempt: number, { status, retryAfter = 0 }: SendResult, now: Timestamp): NextAttempt | undefined {
    this.failures = Math.min(this.failures + 1, this.#maxFailures);
    this.failingSince ??= now;
    this.#lastRetryAfter = retryAfter * 1_000;
    if (status === goneStatus) this.end = 'gone';
    else if (millisecondsBetween(this.failingSince, now) >= maxFailingMilliseconds) this.end = 'failing';
    // While everything fails, it is not this message that cannot be delivered.
    const counted = this.isFailing ? Math.min(attempt, maxAttempts - 1) : attempt;
    const pause = pauseAfterAttempt(counted, this.#random);
    if (pause === undefined) return undefined;
    const dueAt = timestampAfter(now, Math.max(pause, this.#lastRetryAfter));
    return { attempt: counted + 1, dueAt };
  }

  /** When a failing receiver is tried again. */
  nextProbe(now: Timestamp): Timestamp {
    const pause = pauseOfFailing(this.failures - failuresOfFailing + 1, this.#random);
    return timestampAfter(now, Math.max(pause, this.#lastRetryAfter));
  }
}
