import type { Timestamp } from '../../base/clock.ts';
import type { StoredDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import { findClaimedWebhook } from '../../domain/webhooks/deliveries/delivery-claims.ts';
import { type DeliveryProgress, recordProgress } from '../../domain/webhooks/deliveries/delivery-progress.ts';
import { decideOnWebhook } from '../../domain/webhooks/deliveries/retry-policy.ts';
import type { StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import type { CurrentWebhook } from './current-webhook.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { Lease } from './lease.ts';
import type { MessageQueue, QueuedAttempt } from './message-queue.ts';

/** Results are recorded together, at most so late. */
const recordMilliseconds = 250;
const maxResults = 200;
/** New settings take effect, and tests are found, at most so late. */
const refreshMilliseconds = 1_000;

/** An attempt that has ended, and what is stored of it. */
export interface AttemptResult {
  readonly attempt: QueuedAttempt;
  /** The attempt, and the next one if one follows. */
  readonly deliveries: readonly StoredDelivery[];
  /** Whether a failing receiver has accepted its message. */
  readonly isRecovered: boolean;
}

/** What a run works with. */
export interface RunState {
  readonly lease: Lease;
  readonly webhook: CurrentWebhook;
  readonly queue: MessageQueue;
}

/** The only place from which a run writes to the store: results, progress and the lease. It also reads new settings. */
export class ProgressRecorder {
  readonly #parts: DeliveryParts;
  readonly #run: RunState;
  #results: AttemptResult[] = [];
  /** The last of the works that follow one another. */
  #last: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #refreshedAt = performance.now();

  constructor(parts: DeliveryParts, run: RunState) {
    this.#parts = parts;
    this.#run = run;
  }

  /** Whether the store could not be written to. All that follows then fails with the same error. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether so many results wait that they have to be recorded now. */
  get isFull(): boolean {
    return this.#results.length >= maxResults;
  }

  add(result: AttemptResult): void {
    this.#results.push(result);
  }

  /** Records all results, and renews the lease. @param isLast ends the lease instead */
  record(isLast = false): Promise<void> {
    return this.#inSequence(() => this.#recordNow(isLast));
  }

  /** Reads the settings. If they were changed, the run continues with the new ones. */
  async refreshIfChanged(): Promise<void> {
    const { lease, webhook } = this.#run;
    const stored = await findClaimedWebhook(this.#parts.database, lease.claim);
    if (!stored || !webhook.hasSettingsOf(stored)) await this.#refresh();
  }

  /** Records results and renews the lease from time to time. Returns a function that ends this. */
  start(): () => Promise<void> {
    let isStopped = false;
    const continueLater = () => {
      if (isStopped) return;
      this.#parts.timers.after(recordMilliseconds, () => {
        // An error reaches the next one who waits for a record, and ends the run.
        const work = isStopped ? undefined : this.#recordIfNeeded();
        void Promise.resolve(work)
          .catch(() => {})
          .then(continueLater);
      });
    };
    continueLater();
    return async () => {
      isStopped = true;
      await this.#last.catch(() => {});
    };
  }

  #recordIfNeeded(): Promise<void> | undefined {
    if (this.#results.length > 0 || this.#run.lease.isOld) return this.record();
    const isOld = performance.now() - this.#refreshedAt > refreshMilliseconds;
    return isOld ? this.#refresh() : undefined;
  }

  /** Reads the settings. If the store does not answer, that is left to the next record. */
  #refresh(): Promise<void> {
    return this.#inSequence(async () => {
      const { lease } = this.#run;
      if (lease.isEnded) return;
      try {
        const stored = await findClaimedWebhook(this.#parts.database, lease.claim);
        if (stored) await this.#continueWith(stored);
        else lease.end();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    });
  }

  #inSequence(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    this.#last.catch(() => {
      this.#hasFailed = true;
    });
    return this.#last;
  }

  async #recordNow(isLast: boolean): Promise<void> {
    const { lease } = this.#run;
    if (lease.isEnded) return;
    const results = this.#results;
    this.#results = [];
    for (const { attempt } of results) this.#run.queue.complete(attempt);
    const progress = this.#progressOf(results, isLast);
    const { database, composer } = this.#parts;
    const stored = await database.transaction((tx) => recordProgress(tx, lease.claim, progress, composer));
    if (isLast || !stored) return lease.end();
    lease.renew(progress.at);
    await this.#continueWith(stored);
  }

  #progressOf(results: readonly AttemptResult[], isLast: boolean): DeliveryProgress {
    const { webhook, queue } = this.#run;
    const { health } = webhook.receiver;
    const at = this.#now();
    const decision = decideOnWebhook(health, { now: at, random: this.#parts.random });
    return {
      feed: queue.progress,
      receiver: { updatedAt: webhook.stored.updatedAt, health, decision },
      results: {
        deliveries: results.flatMap(({ deliveries }) => deliveries),
        endedIds: results.filter(({ attempt }) => !attempt.feed).map(({ attempt }) => attempt.id),
        isRecovered: results.some(({ isRecovered }) => isRecovered),
      },
      at,
      isLast,
    };
  }

  async #continueWith(stored: StoredWebhook): Promise<void> {
    const { webhook, queue } = this.#run;
    this.#refreshedAt = performance.now();
    const now = this.#now();
    webhook.update(stored, now);
    await queue.refresh(stored, now);
  }

  #now(): Timestamp {
    return this.#parts.clock().toISOString();
  }
}
