import type { Metric } from '../../base/metrics/metric.ts';
import type { Report } from '../../base/report.ts';
import type { Tracing } from '../../base/traces/tracing.ts';
import type { ActionCall, Call, CallResponse, CallRunner } from '../call.ts';
import type { MonitoringSettings } from '../monitoring.ts';
import type { ServiceSettings } from '../operation-runner.ts';
import { ThreadClient } from './thread-client.ts';

const deadlineMilliseconds = 13_000;

export interface OperationThreadSettings<Background = unknown> {
  readonly databaseUrl: string;
  readonly settings: ServiceSettings;
  /** A reader opens the file read-only. */
  readonly role: 'writer' | 'reader';
  /** Settings of the background work, as the entry file of the thread expects them; plain data. */
  readonly background: Background | undefined;
  readonly monitoring: MonitoringSettings;
}

export interface OperationCalls {
  run(of: {
    readonly call: Call | ActionCall;
    /** The span of the request, while traces are recorded. */
    readonly traceparent: string | undefined;
  }): CallResponse;
}

/** Runs calls in a separate thread, so that a write or a long search never delays other requests. */
export class OperationThread implements CallRunner {
  readonly #thread: ThreadClient<OperationCalls>;
  readonly #tracing: Tracing | undefined;

  /**
   * Starts the thread.
   * @param report called with what happens in the thread outside of calls
   * @param onCrash called when the thread has ended by itself
   * @param tracing of the thread that sends the calls
   */
  constructor(
    entry: URL,
    settings: OperationThreadSettings,
    report: Report,
    onCrash: (error: Error) => void,
    tracing?: Tracing,
  ) {
    this.#tracing = tracing;
    this.#thread = new ThreadClient({
      entry,
      description: 'A thread of the store',
      settings,
      report,
      onCrash,
      isBatched: true,
      deadlineMilliseconds,
      monitoredAs: settings.role === 'writer' ? 'writer' : 'search',
    });
  }

  /** Resolves when the thread runs calls. Earlier ones wait. Rejects if it cannot start. */
  get ready(): Promise<void> {
    return this.#thread.ready;
  }

  run(call: Call | ActionCall): Promise<CallResponse> {
    return this.#thread.call('run', { call, traceparent: this.#tracing?.traceparent() });
  }

  metrics(): Promise<readonly Metric[]> {
    return this.#thread.metrics();
  }

  /** Stops the thread after it has finished the work it has begun. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
