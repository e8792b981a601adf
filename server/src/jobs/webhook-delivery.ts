import { maxEnabledWebhooks } from '@gatehouse/contract/limits';
import type { Timestamp } from '../base/clock.ts';
import { Histogram } from '../base/metrics/histogram.ts';
import type { Metric } from '../base/metrics/metric.ts';
import {
  claimWebhooks,
  findNextWebhookTime,
  findSitesWithDueWebhooks,
} from '../domain/webhooks/delivery-claims.ts';
import { type DeliveryParts, DeliveryRun } from '../domain/webhooks/delivery-run.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { Backoff } from './backoff.ts';
import type { Job, Started, TaskRun } from './job.ts';

const firstPauseMilliseconds = 1_000;
const maxPauseMilliseconds = 30_000;
/** Changes that follow each other closely are looked at together. */
const wakeMilliseconds = 20;

/** Sends events to webhooks; a task is a site, a piece a webhook with something to send. */
export class WebhookDelivery implements Job {
  readonly name = 'webhook-delivery';
  readonly errorMessage = 'events could not be sent to a webhook and will be sent later';
  /** Other processes also make events. */
  readonly sweepMilliseconds = 2_000;
  /** Webhooks that are sent to at the same time. A receiver that does not answer holds one place for a few seconds. */
  readonly concurrency = 200;
  readonly slotsPerTask = maxEnabledWebhooks;
  readonly backoff = new Backoff(firstPauseMilliseconds, maxPauseMilliseconds);
  readonly #parts: DeliveryParts;
  readonly #aborting = new AbortController();
  readonly #attempts = new Histogram(
    'gatehouse_webhook_attempt_duration_seconds',
    'Duration of the attempts to send a message to a webhook, by their result.',
  );

  constructor(parts: Omit<DeliveryParts, 'onAttempt'>) {
    this.#parts = {
      ...parts,
      onAttempt: ({ error, durationMilliseconds }) =>
        this.#attempts
          .of({ result: error === null ? 'succeeded' : 'failed' })
          .observeMilliseconds(durationMilliseconds),
    };
  }

  wakeDelay(): number {
    return wakeMilliseconds;
  }

  isOutage(error: unknown): boolean {
    return error instanceof StoreUnavailable;
  }

  metrics(): readonly Metric[] {
    return [this.#attempts.metric()];
  }

  findDue(now: Timestamp): Promise<readonly string[]> {
    return findSitesWithDueWebhooks(this.#parts.database, now);
  }

  async start(siteId: string, { slots, stopping, restartAfter }: TaskRun): Promise<Started> {
    const { database, clock } = this.#parts;
    const now = clock().toISOString();
    const claims = stopping.aborted ? [] : await claimWebhooks(database, siteId, now, slots);
    if (claims.length === 0) {
      await this.#waitForNext(siteId, restartAfter);
      return { more: false };
    }
    const pieces = claims.map((claim) => async () => {
      await new DeliveryRun(this.#parts, claim, stopping, this.#aborting.signal).run();
      // Events may have come after the last look.
      restartAfter(0);
    });
    return { pieces, more: pieces.length === slots };
  }

  close(): void {
    this.#aborting.abort();
  }

  /** What is due before the next sweep is sent at its time. */
  async #waitForNext(siteId: string, restartAfter: TaskRun['restartAfter']): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock();
    const next = await findNextWebhookTime(database, siteId, now.toISOString());
    if (next !== undefined) restartAfter(Date.parse(next) - now.getTime() + 1);
  }
}
