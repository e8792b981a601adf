import { type Metric, total } from '../base/metrics/metric.ts';
import type { Report } from '../base/report.ts';
import { LineLimit } from '../base/text/line-limit.ts';

const maxTextLength = 2_000;
const maxLinesPerMinute = 60;

/**
 * Logs the statements that take long, with the request that they belong to. A statement is logged by its text, which
 * contains no values.
 */
export class StatementWatch {
  readonly #slowMilliseconds: number;
  readonly #report: Report;
  readonly #limit = new LineLimit(maxLinesPerMinute, 60_000);
  #slow = 0;

  /** @param slowMilliseconds what takes at least this long is logged */
  constructor(slowMilliseconds: number, report: Report) {
    this.#slowMilliseconds = slowMilliseconds;
    this.#report = report;
  }

  /** Called when a statement has ended, with the request that it belongs to, if that is known. */
  ended(text: string, milliseconds: number, requestId?: string): void {
    if (milliseconds < this.#slowMilliseconds) return;
    this.#slow += 1;
    const omitted = this.#limit.next();
    if (omitted === undefined) return;
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
