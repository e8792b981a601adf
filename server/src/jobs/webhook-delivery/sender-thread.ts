import type { Worker } from 'node:worker_threads';
import { threadEntry } from '../../base/installation.ts';
import type { OutgoingSettings } from '../../base/networks/outgoing-url.ts';
import type { Report } from '../../base/report.ts';
import { type Cancel, sleep, type Timers } from '../../base/timers.ts';
import type { OutgoingMessage, SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { errorOf, startWorker, type ThreadFault, type ThreadLog } from '../../runtime/threads/thread.ts';

const defaultEntry = threadEntry('jobs/webhook-delivery/sender-thread-entry');
/** An installation without webhooks should not pay for the memory of the thread. */
const maxIdleMilliseconds = 60_000;
const endMilliseconds = 1_000;

/** Plain data, which is passed to the thread. */
export interface SenderThreadOptions {
  readonly outgoing: OutgoingSettings;
  /** A PEM to trust instead of the authorities of Node, for tests. */
  readonly certificateAuthority?: string | undefined;
}

export interface SendRequest {
  readonly number: number;
  readonly message: OutgoingMessage;
}

export type ToSenderThread =
  | { readonly send: readonly SendRequest[] }
  | { readonly abort: number }
  | { readonly end: true };
export type FromSenderThread =
  | { readonly sent: readonly { readonly number: number; readonly result: SendResult }[] }
  | { readonly failed: number; readonly fault: ThreadFault }
  | { readonly log: ThreadLog };

/**
 * Sends messages in a separate thread, so that signing and encrypting many of them does not delay requests. The thread
 * starts with the first message, and ends when there was none for a minute.
 */
export class SenderThread {
  readonly #options: SenderThreadOptions;
  readonly #report: Report;
  readonly #timers: Timers;
  readonly #entry: URL;
  #sender: Sender | undefined;
  #cancelEnd: Cancel | undefined;

  /** @param report called with warnings of the thread */
  constructor(options: SenderThreadOptions, report: Report, timers: Timers, entry = defaultEntry) {
    this.#options = options;
    this.#report = report;
    this.#timers = timers;
    this.#entry = entry;
  }

  /** As `SendMessage`. Rejects also if the thread ends meanwhile. */
  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    signal.throwIfAborted();
    this.#cancelEnd?.();
    if (!this.#sender?.isAlive) this.#sender = new Sender(this.#entry, this.#options, this.#report);
    const sender = this.#sender;
    try {
      return await sender.send(message, signal);
    } finally {
      if (sender === this.#sender && sender.isIdle) this.#endLater();
    }
  }

  /** Ends the thread. What it sends is aborted. */
  async close(): Promise<void> {
    this.#cancelEnd?.();
    await this.#sender?.end(this.#timers);
  }

  #endLater(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#timers.after(maxIdleMilliseconds, () => {
      const sender = this.#sender;
      this.#sender = undefined;
      void sender?.end(this.#timers);
    });
  }
}

/** One thread, from its start to its end. */
class Sender {
  isAlive = true;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<SendResult>>();
  readonly #exited: Promise<void>;
  /** Messages of one turn of the event loop are passed to the thread together. */
  #batch: SendRequest[] = [];
  #lastNumber = 0;

  constructor(entry: URL, options: SenderThreadOptions, report: Report) {
    this.#worker = startWorker(entry, options);
    this.#worker.on('message', (message: FromSenderThread) => {
      if ('log' in message) report(message.log.level, message.log.message, message.log.facts);
      else if ('sent' in message)
        for (const { number, result } of message.sent) this.#consume(number)?.resolve(result);
      else this.#consume(message.failed)?.reject(errorOf(message.fault));
    });
    this.#worker.on('error', (error) => this.#failAll(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#failAll(new Error('The thread that sends to webhooks has ended.'));
        resolve();
      });
    });
  }

  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const number = ++this.#lastNumber;
    const sent = Promise.withResolvers<SendResult>();
    this.#pending.set(number, sent);
    this.#batch.push({ number, message });
    if (this.#batch.length === 1) setImmediate(() => this.#sendBatch());
    const abort = () => this.#abort(number, signal.reason);
    signal.addEventListener('abort', abort);
    return sent.promise.finally(() => signal.removeEventListener('abort', abort));
  }

  async end(timers: Timers): Promise<void> {
    this.#post({ end: true });
    await Promise.race([this.#exited, sleep(timers, endMilliseconds)]);
    await this.#worker.terminate();
  }

  #sendBatch(): void {
    if (this.#batch.length > 0) this.#post({ send: this.#batch });
    this.#batch = [];
  }

  /** A message that was not passed to the thread is not sent: the thread would not know what to abort. */
  #abort(number: number, reason: unknown): void {
    const rest = this.#batch.filter((request) => request.number !== number);
    const isPassedOn = rest.length === this.#batch.length;
    this.#batch = rest;
    if (isPassedOn) this.#post({ abort: number });
    else this.#consume(number)?.reject(reason);
  }

  #post(message: ToSenderThread): void {
    this.#worker.postMessage(message);
  }

  #consume(number: number): PromiseWithResolvers<SendResult> | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    return pending;
  }

  #failAll(error: unknown): void {
    this.isAlive = false;
    for (const sent of this.#pending.values()) sent.reject(error);
    this.#pending.clear();
  }
}
