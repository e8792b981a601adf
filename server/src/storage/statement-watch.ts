import { AsyncLocalStorage } from 'node:async_hooks';
import { LineLimit } from '../base/line-limit.ts';
import { type Metric, total } from '../base/metrics/metric.ts';
import type { Report } from '../base/report.ts';

const maxTextLength = 2_000;
const maxLinesPerMinute = 60;

/** The request that statements belong to. */
export interface RunningRequest {
  /** Undefined until the request has an ID. */
  requestId?: string | undefined;
}

/**
 * Logs the statements that take long, with the request that they belong to. A statement is logged by its text, which
 * contains no values.
 */
export class StatementWatch {
  readonly #slowMilliseconds: number;
  readonly #report: Report;
  readonly #requests = new AsyncLocalStorage<RunningRequest>();
  readonly #limit = new LineLimit(maxLinesPerMinute, 60_000);
  #slow = 0;

  /** @param slowMilliseconds what takes at least this long is logged */
  constructor(slowMilliseconds: number, report: Report) {
    this.#slowMilliseconds = slowMilliseconds;
    this.#report = report;
  }

  /** Runs work whose statements belong to a request. */
  within<T, Arguments extends readonly unknown[]>(
    request: RunningRequest,
    work: (...args: Arguments) => T,
    ...args: Arguments
  ): T {
    return this.#requests.run(request, work, ...args);
  }

  /** Sets the ID of the request that is running. */
  name(requestId: string): void {
    const request = this.#requests.getStore();
    if (request) request.requestId = requestId;
  }

  /** Called when a statement has ended, in the context of its caller. */
  ended(text: string, milliseconds: number): void {
    if (milliseconds < this.#slowMilliseconds) return;
    this.#slow += 1;
    const omitted = this.#limit.next();
    if (omitted === undefined) return;
    const requestId = this.#requests.getStore()?.requestId;
    this.#report('warn', 'Slow statement', {
      ...(requestId !== undefined && { requestId }),
      milliseconds: Math.round(milliseconds),
      statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength),
      ...(omitted > 0 && { omitted }),
    });
  }

  metrics(): readonly Metric[] {
    return [
      total(
        'gatehouse_slow_statements_total',
        'Statements over GATEHOUSE_SLOW_STATEMENT_MILLISECONDS.',
        this.#slow,
      ),
    ];
  }
}

/** A watch for this number of milliseconds; undefined for 0, which turns it off. */
export function watchStatements(slowMilliseconds: number, report: Report): StatementWatch | undefined {
  return slowMilliseconds > 0 ? new StatementWatch(slowMilliseconds, report) : undefined;
}
