import { doublingPauses } from '@gatehouse/contract/backoff';
import { maxEnabledWebhooks } from '@gatehouse/contract/limits';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import { Histogram } from '../../base/metrics/histogram.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import {
  claimWebhooks,
  findNextWebhookTime,
  findSitesWithDueWebhooks,
  hasWebhooks,
} from '../../domain/webhooks/deliveries/delivery-claims.ts';
import type { Job, Started, TaskRun } from '../job.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { DeliveryRun } from './delivery-run.ts';

/** Changes that follow each other closely are looked at together. */
const wakeMilliseconds = 20;

/** Sends events to webhooks; a task is a site, a piece a webhook with something to send. */
export class WebhookDelivery implements Job {
  readonly name = 'webhook-delivery';
  readonly errorMessage = 'events could not be sent to a webhook and will be sent later';
  /** For what no process was woken for: changes on the command line, and the work of a process that is gone. */
  readonly sweepMilliseconds = 15_000;
  /** Webhooks that are sent to at the same time. A receiver that does not answer holds one place for a few seconds. */
  readonly concurrency = 200;
  readonly slotsPerTask = maxEnabledWebhooks;
  readonly backoff = doublingPauses(1_000, 30_000);
  readonly #parts: DeliveryParts;
  readonly #aborting = new AbortController();
  /** The signals of the store when it was last seen whether there are webhooks. */
  #signals: number | undefined;
  #hasWebhooks = false;
  readonly #attempts = new Histogram(
    'gatehouse_webhook_attempt_duration_seconds',
    'Duration of the attempts to send a message to a webhook, by their result.',
  );

  constructor(parts: Omit<DeliveryParts, 'onResult'>) {
    this.#parts = {
      ...parts,
      onResult: ({ error, durationMilliseconds }) =>
        this.#attempts
          .of({ result: error === null ? 'succeeded' : 'failed' })
          .observeMilliseconds(durationMilliseconds),
    };
  }

  wakeDelay(): number {
    return wakeMilliseconds;
  }

  metrics(): readonly Metric[] {
    return [this.#attempts.metric()];
  }

  /** Also what is due before the next sweep, to which `start` then returns in time. */
  async findDue(now: Timestamp): Promise<readonly string[]> {
    const { database } = this.#parts;
    const signals = database.signals();
    if (signals !== this.#signals) this.#hasWebhooks = await hasWebhooks(database);
    this.#signals = signals;
    if (!this.#hasWebhooks) return [];
    return findSitesWithDueWebhooks(database, now, timestampAfter(now, this.sweepMilliseconds));
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
      await new DeliveryRun(this.#parts, claim, { stopping, aborting: this.#aborting.signal }).run();
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
    const next = await findNextWebhookTime({ db: database, siteId, now: now.toISOString() });
    if (next !== undefined) restartAfter(Date.parse(next) - now.getTime() + 1);
  }
}
