import type { Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { sleep } from '../../base/timers.ts';
import {
  deletedEventDelivery,
  endedDelivery,
  waitingDelivery,
} from '../../domain/webhooks/deliveries/attempt.ts';
import type { StoredDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import type { ClaimedWebhook } from '../../domain/webhooks/deliveries/delivery-claims.ts';
import type { OutgoingMessage, SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import {
  type Decision,
  decide,
  decideOnWebhook,
  type MessageDecision,
  type WebhookDecision,
} from '../../domain/webhooks/deliveries/retry-policy.ts';
import { findMessage } from '../../domain/webhooks/webhook-message.ts';
import { CurrentWebhook, type Receiver } from './current-webhook.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { Lease } from './lease.ts';
import { MessageQueue, type QueuedAttempt } from './message-queue.ts';
import { ProgressRecorder } from './progress-recorder.ts';
import { RunningAttempts } from './running-attempts.ts';

/** Then others have their turn. */
const maxRunMilliseconds = 10_000;
/** How long a run waits for further events, and how often it looks. */
const waitMilliseconds = 250;
const pollMilliseconds = 50;
/** While a message takes long, it looks for others less and less often. */
const maxPollMilliseconds = 1_000;

export interface RunSignals {
  /** Aborted when no more attempts may begin. */
  readonly stopping: AbortSignal;
  /** Aborted when those in progress must end. */
  readonly aborting: AbortSignal;
}

/**
 * Sends what is due to one webhook, several messages at the same time. It has the lease of the webhook until it ends. The
 * states and what happens at a crash: `docs/architecture/webhook-delivery.md`.
 */
export class DeliveryRun {
  readonly #parts: DeliveryParts;
  readonly #signals: RunSignals;
  readonly #lease: Lease;
  readonly #webhook: CurrentWebhook;
  readonly #queue: MessageQueue;
  readonly #recorder: ProgressRecorder;
  readonly #endsAt = performance.now() + maxRunMilliseconds;
  /** Whether an attempt has waited for the store for so long that the lease would not outlast it. */
  #isTooLate = false;
  /** A failing receiver is tried with one event in a run, and only if it was failing when the run began. */
  #mayTryFailing: boolean;

  /** @throws {SecretUnreadable} */
  constructor(parts: DeliveryParts, claim: ClaimedWebhook, signals: RunSignals) {
    this.#parts = parts;
    this.#signals = signals;
    this.#lease = new Lease(claim, parts.clock);
    this.#webhook = new CurrentWebhook(claim, parts.secrets, this.#now());
    this.#queue = new MessageQueue(parts.database, claim);
    const state = { lease: this.#lease, webhook: this.#webhook, queue: this.#queue };
    this.#recorder = new ProgressRecorder(parts, state);
    this.#mayTryFailing = this.#next === 'block';
  }

  /** @throws {SecretUnreadable}, {StoreUnavailable} */
  async run(): Promise<void> {
    const stopRecording = this.#recorder.start();
    try {
      await this.#queue.refresh(this.#webhook.stored, this.#now());
      do {
        while (await this.#sendAll()) await this.#recorder.record();
      } while (await this.#moreComes());
    } finally {
      await stopRecording();
    }
    await this.#recorder.record(true);
  }

  /** Sends until there is nothing more that may be sent now. Returns whether anything was sent. */
  async #sendAll(): Promise<boolean> {
    if (this.#next === 'block') return this.#tryFailing();
    const running = new RunningAttempts(this.#parts.timers);
    let pause = pollMilliseconds;
    for (;;) {
      if (await this.#startNext(running).catch(running.fail)) {
        pause = pollMilliseconds;
      } else if (running.count > 0) {
        // While one takes long, others may come.
        await running.oneEnds(this.#isFull(running) ? undefined : pause);
        pause = Math.min(pause * 2, maxPollMilliseconds);
      } else {
        running.throwFailure();
        return running.hasStarted;
      }
      if (this.#recorder.isFull) await this.#recorder.record().catch(running.fail);
    }
  }

  /** Starts the next attempt if it may be made beside those that run. Returns whether another one may follow at once. */
  async #startNext(running: RunningAttempts): Promise<boolean> {
    if (this.#isFull(running) || running.hasFailed) return false;
    if (this.#next !== 'continue' || !(await this.#mayBegin())) return false;
    const hasRead = await this.#read();
    const attempt = this.#queue.consume();
    if (attempt) running.add(this.#attempt(attempt));
    return hasRead || attempt !== undefined;
  }

  #isFull({ count }: RunningAttempts): boolean {
    return count >= this.#webhook.stored.parallelism;
  }

  /** Sends tests, and one event to see whether the receiver accepts it. Returns whether it does. */
  async #tryFailing(): Promise<boolean> {
    while (this.#next === 'block' && (await this.#mayBegin())) {
      const test = this.#queue.consumeTest();
      if (!test) break;
      await this.#attempt(test);
    }
    if (this.#mayTryFailing && this.#next === 'block' && (await this.#mayBegin())) {
      this.#mayTryFailing = false;
      const attempt = (await this.#queue.consumeEarliest()) ?? (await this.#findNext());
      if (attempt) await this.#attempt(attempt);
    }
    const isContinued = this.#next === 'continue';
    // If it fails again, it is not tried before its pause.
    if (isContinued) this.#mayTryFailing = false;
    return isContinued;
  }

  /** The next attempt, however far the feed must be read for it. */
  async #findNext(): Promise<QueuedAttempt | undefined> {
    let attempt: QueuedAttempt | undefined;
    let hasRead = true;
    while (!attempt && hasRead && (await this.#mayBegin())) {
      hasRead = await this.#read();
      attempt = this.#queue.consume();
    }
    return attempt;
  }

  /** Continues to read the feed. What happens after the settings were changed is sent by the new ones, so these are read then. */
  async #read(): Promise<boolean> {
    const hasRead = await this.#queue.read();
    if (hasRead) await this.#recorder.refreshIfChanged();
    return hasRead;
  }

  /** Whether something can be sent again soon, after a short wait. */
  async #moreComes(): Promise<boolean> {
    for (let waited = 0; waited < waitMilliseconds; waited += pollMilliseconds) {
      if (this.#isOver || this.#next !== 'continue') return false;
      if ((await this.#read()) || this.#queue.hasNext) return true;
      await sleep(this.#parts.timers, pollMilliseconds);
    }
    return false;
  }

  /** What follows from all results so far. */
  get #next(): WebhookDecision['next'] {
    const moment = { now: this.#now(), random: this.#parts.random };
    return decideOnWebhook(this.#webhook.receiver.health, moment).next;
  }

  /** Whether an attempt may begin, which the lease must outlast. @throws the error with which recording has failed */
  async #mayBegin(): Promise<boolean> {
    if (this.#recorder.hasFailed || !this.#lease.isLongEnough) await this.#recorder.record();
    return !this.#isOver && this.#lease.isLongEnough;
  }

  /** Whether nothing more may be sent. */
  get #isOver(): boolean {
    if (this.#lease.isEnded || this.#isTooLate || this.#signals.stopping.aborted) return true;
    return !this.#webhook.stored.enabled || performance.now() > this.#endsAt;
  }

  async #attempt(attempt: QueuedAttempt): Promise<void> {
    const { stored } = this.#webhook;
    const { siteId } = this.#lease.claim;
    const { message, feed } = attempt;
    const body = feed?.body ?? (await findMessage({ db: this.#parts.database, siteId }, stored, message));
    if (!this.#lease.outlastsAttempt) {
      // The next run begins with it.
      this.#isTooLate = true;
      return;
    }
    if (body === null) {
      const deliveries = [deletedEventDelivery(attempt, this.#now())];
      this.#recorder.add({ attempt, deliveries, isRecovered: false });
      return;
    }
    // Of these settings, also if others are entered meanwhile.
    const { receiver, signingSecrets: secrets } = this.#webhook;
    const result = await this.#send({ url: receiver.url, id: message.messageId, body, secrets });
    if (result) await this.#end(attempt, result, receiver);
  }

  /** Undefined if it was aborted because Gatehouse stops. It is sent again later. */
  async #send(message: OutgoingMessage): Promise<SendResult | undefined> {
    const { aborting } = this.#signals;
    try {
      return await this.#parts.send(message, aborting);
    } catch (error) {
      if (aborting.aborted) return undefined;
      throw error;
    }
  }

  async #end(attempt: QueuedAttempt, result: SendResult, receiver: Receiver): Promise<void> {
    this.#parts.onResult(result);
    const { message, isRecovered } = this.#decide(attempt, result, receiver);
    const deliveries = deliveriesOf(attempt, result, message, this.#now());
    this.#recorder.add({ attempt, deliveries, isRecovered });
    const isOrdered = this.#webhook.stored.parallelism === 1;
    // In order, it keeps its place until the queue knows that it waits.
    if (isOrdered && attempt.message.trigger === 'event' && message.next !== 'delivered')
      await this.#recorder.record();
  }

  #decide(attempt: QueuedAttempt, result: SendResult, receiver: Receiver): Decision {
    const moment = { now: this.#now(), random: this.#parts.random };
    const decision = decide(attempt, result, receiver.health, moment);
    receiver.health = decision.health;
    const current = this.#webhook.receiver;
    if (current === receiver || current.url !== receiver.url || decision.message.next !== 'delivered')
      return decision;
    // It counts also for settings that were entered meanwhile.
    const currentDecision = decide(attempt, result, current.health, moment);
    current.health = currentDecision.health;
    return currentDecision;
  }

  #now(): Timestamp {
    return this.#parts.clock().toISOString();
  }
}

/** What is stored of an attempt: its result, and the next attempt if one follows. */
function deliveriesOf(
  attempt: QueuedAttempt,
  result: SendResult,
  decision: MessageDecision,
  endedAt: Timestamp,
): StoredDelivery[] {
  if (decision.next !== 'retry') return [endedDelivery(attempt, result, { endedAt, nextAttemptAt: null })];
  const next = { ...attempt, id: newId(), number: decision.attempt };
  return [
    endedDelivery(attempt, result, { endedAt, nextAttemptAt: decision.dueAt }),
    waitingDelivery(next, decision.dueAt),
  ];
}
