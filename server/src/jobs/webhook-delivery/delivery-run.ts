import { type Clock, millisecondsBetween, type Timestamp, timestampAfter } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { sleep, type Timers } from '../../base/timers.ts';
import type { EmailComposer } from '../../domain/emails/email-composer.ts';
import { type StoredDelivery, waitingDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import {
  type ClaimedWebhook,
  deliveryLeaseMilliseconds,
  findClaimedWebhook,
} from '../../domain/webhooks/deliveries/delivery-claims.ts';
import { storeProgress } from '../../domain/webhooks/deliveries/delivery-progress.ts';
import {
  maxAttemptMilliseconds,
  type SendMessage,
  type SendResult,
} from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { openUrl, type StoredWebhook } from '../../domain/webhooks/webhook.ts';
import { signingSecrets } from '../../domain/webhooks/webhook-secrets.ts';
import type { Database } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { DeliveryQueue, type TakenMessage } from './delivery-queue.ts';
import { deletedEventDelivery, endedDelivery } from './ended-delivery.ts';
import { readsOn } from './feed-reading.ts';
import { ReceiverHealth } from './receiver-health.ts';
import { RunningAttempts } from './running-attempts.ts';

/** An attempt begins only if it ends before the lease does. */
const neededLeaseMilliseconds = maxAttemptMilliseconds + 2_000;
/** Results are stored together, at most so late. */
const saveMilliseconds = 250;
const maxUnsavedResults = 200;
/** New settings take effect, and tests are found, at most so late. */
const refreshMilliseconds = 1_000;
/** Then others have their turn. */
const maxRunMilliseconds = 10_000;
/** How long a run waits for further events, and how often it looks. */
const lingerMilliseconds = 250;
const pollMilliseconds = 50;
/** While a message takes long, it looks for others less and less often. */
const maxPollMilliseconds = 1_000;

export interface DeliveryParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly secrets: SecretBox;
  readonly composer: EmailComposer;
  readonly send: SendMessage;
  /** Called with each attempt. */
  readonly onAttempt: (result: SendResult) => void;
}

interface AttemptResult {
  readonly taken: TakenMessage;
  /** What is stored: the attempt, and the next one if there is one. */
  readonly deliveries: readonly StoredDelivery[];
}

/** Sends what is due to one webhook, several messages at the same time, and stores the results together. */
export class DeliveryRun {
  readonly #parts: DeliveryParts;
  readonly #claim: ClaimedWebhook;
  readonly #stopping: AbortSignal;
  readonly #aborting: AbortSignal;
  readonly #queue: DeliveryQueue;
  #endsAt = performance.now() + maxRunMilliseconds;
  /** Whether a failing receiver may be tried: once in a run that began while it was failing. */
  #mayProbe: boolean;
  /** Whether the attempts that wait have pauses of a time at which everything failed. */
  #wasFailing: boolean;
  #health: ReceiverHealth;
  #webhook: StoredWebhook;
  /** That of the webhook, opened. */
  #url = '';
  /** Those that sign, opened. */
  #secrets: readonly string[] = [];
  #claimedUntil: Timestamp;
  #refreshedAt = 0;
  #results: AttemptResult[] = [];
  #saving: Promise<void> = Promise.resolve();
  /** Whether a save has failed. All later ones fail with the same error. */
  #hasFailed = false;
  /** Whether the claim has ended, or was lost. */
  #isReleased = false;

  /**
   * @param stopping aborted when no more attempts may begin
   * @param aborting aborted when those in progress must end
   */
  constructor(parts: DeliveryParts, claim: ClaimedWebhook, stopping: AbortSignal, aborting: AbortSignal) {
    this.#parts = parts;
    this.#claim = claim;
    this.#stopping = stopping;
    this.#aborting = aborting;
    this.#webhook = claim.webhook;
    this.#claimedUntil = claim.claimedUntil;
    this.#queue = new DeliveryQueue(parts.database, claim.siteId, claim.webhook, () =>
      this.#noticeSettings(),
    );
    this.#health = new ReceiverHealth(claim.webhook, parts.random);
    this.#mayProbe = this.#health.isFailing;
    this.#wasFailing = this.#health.isFailing;
  }

  /** @throws {SecretUnreadable}, {StoreUnavailable} */
  async run(): Promise<void> {
    const stopSaving = this.#saveRegularly();
    try {
      await this.#adopt(this.#webhook);
      do {
        while (await this.#sendAll()) await this.#save();
      } while (await this.#moreComes());
    } finally {
      stopSaving();
      // Callers that wait for a save get its error.
      await this.#saving.catch(() => {});
    }
    await this.#save(true);
  }

  /** Sends until there is nothing more that may be sent now. Returns whether anything was sent. */
  async #sendAll(): Promise<boolean> {
    this.#queue.goOn();
    if (this.#health.isFailing) return this.#tryFailing();
    const running = new RunningAttempts(this.#parts.timers);
    let sent = 0;
    let pause = pollMilliseconds;
    let taken: TakenMessage | typeof readsOn | undefined;
    do {
      taken = await this.#takeFor(running).catch(running.fail);
      if (taken && taken !== readsOn) {
        sent += 1;
        pause = pollMilliseconds;
        running.add(this.#attempt(taken));
      } else if (!taken && running.count > 0) {
        // While one takes long, others may come.
        const isFull = running.count >= this.#webhook.parallelism;
        await running.oneEnds(isFull ? undefined : pause);
        pause = Math.min(pause * 2, maxPollMilliseconds);
      }
      if (this.#results.length >= maxUnsavedResults) await this.#save().catch(running.fail);
    } while (running.count > 0 || taken);
    running.throwFailure();
    return sent > 0;
  }

  /** The next message, if it may be sent beside those that are being sent. */
  async #takeFor(running: RunningAttempts): Promise<TakenMessage | typeof readsOn | undefined> {
    const isFull = running.count >= this.#webhook.parallelism || running.hasFailed;
    return !isFull && (await this.#maySend()) ? this.#queue.take() : undefined;
  }

  /** Sends tests, and one message to see whether the receiver takes it. Returns whether it does. */
  async #tryFailing(): Promise<boolean> {
    while (this.#health.isFailing && (await this.#canBegin())) {
      const test = await this.#queue.takeTest();
      if (!test) break;
      await this.#attempt(test);
    }
    if (this.#mayProbe && this.#health.isFailing && (await this.#canBegin())) {
      this.#mayProbe = false;
      let probe = await this.#queue.takeProbe();
      while (probe === readsOn && (await this.#canBegin())) probe = await this.#queue.takeProbe();
      if (probe && probe !== readsOn) await this.#attempt(probe);
    }
    return !this.#health.isFailing;
  }

  async #maySend(): Promise<boolean> {
    return !this.#health.isFailing && !this.#health.end && (await this.#canBegin());
  }

  /** Whether an attempt may begin, which the lease must outlast. @throws the error of a save that has failed */
  async #canBegin(): Promise<boolean> {
    if (this.#hasFailed || this.#leaseLeft() < neededLeaseMilliseconds) await this.#save();
    if (this.#isOver || this.#stopping.aborted) return false;
    return this.#leaseLeft() >= neededLeaseMilliseconds;
  }

  /** Whether nothing more may be sent. */
  get #isOver(): boolean {
    return this.#isReleased || !this.#webhook.enabled || performance.now() > this.#endsAt;
  }

  #leaseLeft(): number {
    return millisecondsBetween(this.#now(), this.#claimedUntil);
  }

  async #attempt(taken: TakenMessage): Promise<void> {
    if (this.#leaseLeft() < maxAttemptMilliseconds) {
      // It has waited for the store for too long. The next run begins with it.
      this.#endsAt = 0;
      return;
    }
    const url = this.#url;
    // That of these settings, also if others are entered meanwhile.
    const health = this.#health;
    const { messageId: id } = taken.message;
    if (taken.body === null) {
      this.#results.push({ taken, deliveries: [deletedEventDelivery(this.#webhook.id, taken, this.#now())] });
      return;
    }
    const result = await this.#parts
      .send({ url, id, body: taken.body, secrets: this.#secrets }, this.#aborting)
      .catch((error) => {
        if (this.#aborting.aborted) return undefined;
        throw error;
      });
    // What was aborted because Gatehouse stops is sent again later.
    if (!result) return;
    this.#parts.onAttempt(result);
    this.#results.push({ taken, deliveries: this.#deliveriesOf(taken, result, url, health) });
  }

  #deliveriesOf(
    taken: TakenMessage,
    result: SendResult,
    url: string,
    health: ReceiverHealth,
  ): StoredDelivery[] {
    const { message, attempt } = taken;
    const { id } = this.#webhook;
    const now = this.#now();
    const ended = (nextAttemptAt: Timestamp | null) => endedDelivery(id, taken, result, now, nextAttemptAt);
    if (result.error === null) {
      health.succeeded();
      if (url === this.#url) this.#health.succeeded();
      return [ended(null)];
    }
    if (message.kind === 'test') return [ended(null)];
    if (message.kind === 'event') this.#queue.holdUp();
    const next = health.failed(attempt, result, now);
    if (health.isFailing) this.#wasFailing = true;
    if (!next) return [ended(null)];
    return [ended(next.dueAt), waitingDelivery(newId(), id, message, next.attempt, next.dueAt)];
  }

  /** Whether something can be sent again soon, after a short wait. */
  async #moreComes(): Promise<boolean> {
    for (let waited = 0; waited < lingerMilliseconds; waited += pollMilliseconds) {
      if (this.#isOver || this.#stopping.aborted || this.#health.isFailing || this.#health.end) return false;
      if (await this.#queue.hasMore()) return true;
      await sleep(this.#parts.timers, pollMilliseconds);
    }
    return false;
  }

  /** Stores results and renews the lease from time to time. Returns a function that ends this. */
  #saveRegularly(): () => void {
    let isStopped = false;
    const saveLater = () => {
      if (isStopped) return;
      this.#parts.timers.after(saveMilliseconds, () => {
        const isNeeded = this.#results.length > 0 || this.#leaseLeft() < (deliveryLeaseMilliseconds * 2) / 3;
        const isOld = performance.now() - this.#refreshedAt > refreshMilliseconds;
        const work = isStopped ? undefined : isNeeded ? this.#save() : isOld ? this.#refresh() : undefined;
        // An error reaches the next one who waits for a save, and ends the run.
        void Promise.resolve(work)
          .catch(() => {})
          .then(saveLater);
      });
    };
    saveLater();
    return () => {
      isStopped = true;
    };
  }

  /** One after another. */
  #save(isLast = false): Promise<void> {
    return this.#afterSaving(() => this.#saveOnce(isLast));
  }

  /** What happens after the settings were changed is sent by the new ones. */
  async #noticeSettings(): Promise<void> {
    const webhook = await findClaimedWebhook(this.#parts.database, this.#claim);
    if (webhook?.updatedAt !== this.#webhook.updatedAt) await this.#refresh();
  }

  /** Reads the settings anew. If the store does not answer, that is left to the next save. */
  #refresh(): Promise<void> {
    return this.#afterSaving(async () => {
      if (this.#isReleased) return;
      try {
        const webhook = await findClaimedWebhook(this.#parts.database, this.#claim);
        this.#isReleased = webhook === undefined;
        if (webhook) await this.#adopt(webhook);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    });
  }

  #afterSaving(work: () => Promise<void>): Promise<void> {
    this.#saving = this.#saving.then(work);
    this.#saving.catch(() => {
      this.#hasFailed = true;
    });
    return this.#saving;
  }

  async #saveOnce(isLast: boolean): Promise<void> {
    if (this.#isReleased) return;
    const results = this.#results;
    this.#results = [];
    for (const { taken } of results) this.#queue.settle(taken);
    const at = this.#now();
    const claimedUntil = timestampAfter(at, deliveryLeaseMilliseconds);
    const { siteId, holder } = this.#claim;
    const progress = {
      ...{ siteId, holder, at, claimedUntil, isLast },
      ...{ webhook: this.#webhook, health: this.#health, wasFailing: this.#wasFailing },
      ...{ position: this.#queue.position, replay: this.#queue.replay },
      deliveries: results.flatMap((result) => result.deliveries),
      stale: results.filter(({ taken }) => taken.isStored).map(({ taken }) => taken.deliveryId),
    };
    const { database, composer } = this.#parts;
    const webhook = await database.transaction((tx) => storeProgress(tx, progress, composer));
    this.#isReleased = isLast || webhook === undefined;
    if (webhook === undefined || this.#isReleased) return;
    this.#claimedUntil = claimedUntil;
    this.#wasFailing = this.#health.isFailing;
    await this.#adopt(webhook);
  }

  /** Goes on with the present settings. */
  async #adopt(webhook: StoredWebhook): Promise<void> {
    // Failures of another URL, or of a time before it was enabled again, do not count.
    if (webhook.updatedAt !== this.#webhook.updatedAt)
      this.#health = new ReceiverHealth(webhook, this.#parts.random);
    this.#webhook = webhook;
    this.#refreshedAt = performance.now();
    const now = this.#now();
    const { secrets } = this.#parts;
    this.#url = openUrl(secrets, this.#claim.siteId, webhook);
    this.#secrets = signingSecrets(secrets, this.#claim.siteId, webhook, now);
    await this.#queue.refresh(webhook, now);
  }

  #now(): Timestamp {
    return this.#parts.clock().toISOString();
  }
}
