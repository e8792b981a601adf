import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Report } from '../../base/report.ts';
import { reportWarnings } from '../../base/warnings.ts';
import { sendTogether } from './send-together.ts';
import type { Input, Output } from './thread-client.ts';
import {
  type FromThread,
  faultOf,
  type ThreadCall,
  type ThreadEnd,
  type ThreadResult,
  type ToThread,
} from './thread-messages.ts';

/**
 * Gives the HTTP thread nine times the CPU weight of one that works, and that one seven times the weight of a list. While a list of
 * 20 MB is read on the same core, the 99th percentile of gate checks is 11 ms; 26 ms with 10 for lists too, 212 ms with 0 for both.
 */
const nicenesses = { work: 10, lists: 19 };

/** What a call knows of itself. `signal` is made when it is read, because few calls can be aborted. */
export interface CallContext {
  readonly signal: AbortSignal;
}

type Handler<Call> = (input: Input<Call>, context: CallContext) => Output<Call> | Promise<Output<Call>>;

/** What a thread offers. */
export interface ThreadService<Calls> {
  readonly calls: { readonly [Name in keyof Calls]: Handler<Calls[Name]> };
  readonly metrics?: () => readonly Metric[];
  /** Called when no call runs any more and the thread has to end. */
  readonly close?: () => Promise<unknown>;
  /** How long results wait for each other while other calls run: each message wakes the other thread. By default, one turn. */
  readonly resultsWaitMilliseconds?: number;
}

/**
 * Runs in a thread that a `ThreadClient` has started, and carries out its calls.
 * @param open gets the settings of the client, and what writes to its log
 */
export async function serveCalls<Calls, Settings = undefined>(
  priority: keyof typeof nicenesses,
  open: (settings: Settings, report: Report) => ThreadService<Calls> | Promise<ThreadService<Calls>>,
): Promise<void> {
  const report: Report = (...log) => post({ log });
  reportWarnings(({ name, message }) => report('warn', message, { warning: name }));
  lowerPriority(priority);
  const server = new CallServer(await open(workerData, report));
  parentPort!.on('message', (message: ToThread) => server.receive(message));
  post({ ready: true });
}

type AnyHandler = (input: unknown, context: CallContext) => unknown;

/** The calls that run in this thread. */
class CallServer<Calls> {
  readonly #close: ThreadService<Calls>['close'];
  readonly #handlers: Readonly<Record<string, AnyHandler>>;
  readonly #running = new Map<number, RunningCall>();
  readonly #results: Results;
  #onIdle: (() => void) | undefined;

  constructor({ calls, metrics = () => [], close, resultsWaitMilliseconds }: ThreadService<Calls>) {
    this.#handlers = { ...(calls as Record<string, AnyHandler>), metrics };
    this.#close = close;
    this.#results = new Results(resultsWaitMilliseconds);
  }

  receive(message: ToThread): void {
    if ('calls' in message) for (const call of message.calls) void this.#run(call);
    else if ('abort' in message) this.#running.get(message.abort)?.abort();
    else void this.#end(message.end);
  }

  async #run({ number, name, input }: ThreadCall): Promise<void> {
    const call = new RunningCall();
    this.#running.set(number, call);
    try {
      this.#results.add({ number, value: await this.#handlers[name]!(input, call) });
    } catch (error) {
      this.#results.add({ number, fault: faultOf(error) });
    }
    this.#running.delete(number);
    if (this.#running.size > 0) return;
    this.#results.waitNoLonger();
    this.#onIdle?.();
  }

  async #end(how: ThreadEnd): Promise<void> {
    if (how === 'abort') for (const call of this.#running.values()) call.abort();
    if (this.#running.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    this.#results.send();
    await this.#close?.();
    parentPort!.close();
  }
}

class RunningCall implements CallContext {
  #aborting: AbortController | undefined;

  get signal(): AbortSignal {
    return this.#controller().signal;
  }

  abort(): void {
    this.#controller().abort();
  }

  #controller(): AbortController {
    this.#aborting ??= new AbortController();
    return this.#aborting;
  }
}

/** Results that are sent in one message. */
class Results {
  readonly #waitMilliseconds: number | undefined;
  #waiting: ThreadResult[] = [];

  constructor(waitMilliseconds: number | undefined) {
    this.#waitMilliseconds = waitMilliseconds;
  }

  add(result: ThreadResult): void {
    this.#waiting.push(result);
    if (this.#waiting.length > 1) return;
    if (this.#waitMilliseconds === undefined) setImmediate(() => this.send());
    else setTimeout(() => this.send(), this.#waitMilliseconds);
  }

  /** No call runs whose result could join these. Those of one turn still wait for its end: it may begin other calls. */
  waitNoLonger(): void {
    if (this.#waitMilliseconds !== undefined) this.send();
  }

  send(): void {
    const results = this.#waiting;
    this.#waiting = [];
    if (results.length === 0) return;
    sendTogether(
      results,
      (some) => post({ results: some }),
      ({ number }, error) => post({ results: [{ number, fault: faultOf(error) }] }),
    );
  }
}

/** Threads that compete for a core have different priorities. Linux identifies threads by their own ids. */
function lowerPriority(priority: keyof typeof nicenesses): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), nicenesses[priority]);
  } catch {
    // Not Linux, or not permitted: everything works, only with less even response times.
  }
}

function post(message: FromThread): void {
  parentPort!.postMessage(message);
}
