import { type Clock, millisecondsBetween, type Timestamp } from '../../base/clock.ts';
import {
  type ClaimedWebhook,
  deliveryLeaseMilliseconds,
  leaseEnd,
} from '../../domain/webhooks/deliveries/delivery-claims.ts';
import { maxAttemptMilliseconds } from '../../domain/webhooks/deliveries/outgoing-message.ts';

/** An attempt begins only if it ends before the lease does. The rest is for reading its message from the store. */
const neededMilliseconds = maxAttemptMilliseconds + 2_000;

/** How long no one else sends to a webhook. */
export class Lease {
  readonly claim: ClaimedWebhook;
  readonly #clock: Clock;
  #endsAt: Timestamp;
  #isEnded = false;

  constructor(claim: ClaimedWebhook, clock: Clock) {
    this.claim = claim;
    this.#clock = clock;
    this.#endsAt = claim.claimedUntil;
  }

  /** Whether it was lost, or is not needed any more. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether it is long enough to begin an attempt. */
  get isLongEnough(): boolean {
    return this.#milliseconds() >= neededMilliseconds;
  }

  /** Whether an attempt that is sent now ends before the lease. */
  get outlastsAttempt(): boolean {
    return this.#milliseconds() >= maxAttemptMilliseconds;
  }

  /** Whether it should be renewed soon. */
  get isOld(): boolean {
    return this.#milliseconds() < (deliveryLeaseMilliseconds * 2) / 3;
  }

  /** It was renewed in the store. */
  renew(at: Timestamp): void {
    this.#endsAt = leaseEnd(at);
  }

  end(): void {
    this.#isEnded = true;
  }

  #milliseconds(): number {
    return millisecondsBetween(this.#clock().toISOString(), this.#endsAt);
  }
}
