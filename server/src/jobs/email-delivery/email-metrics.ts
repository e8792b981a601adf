import { Counter } from '../../base/metrics/counter.ts';
import { Histogram } from '../../base/metrics/histogram.ts';
import type { Metric } from '../../base/metrics/metric.ts';

/** From a mail server on this machine to the time limit of an email, in seconds. */
const bounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `not_sent`: no mail server is configured. A postponed email is tried again. */
export type EmailResult = 'sent' | 'failed' | 'postponed' | 'not_sent';

/** Counts the attempts to send emails. */
export class EmailMetrics {
  readonly #emails = new Counter('gatehouse_emails_total', 'Attempts to send an email, by their result.');
  readonly #durations = new Histogram(
    'gatehouse_email_duration_seconds',
    'Time until the mail server has taken an email.',
    bounds,
  );
  readonly #duration = this.#durations.of({});

  sent(milliseconds: number): void {
    this.ended('sent');
    this.#duration.observeMilliseconds(milliseconds);
  }

  ended(result: EmailResult): void {
    this.#emails.of({ result }).value += 1;
  }

  collect(): readonly Metric[] {
    return [this.#emails.metric(), this.#durations.metric()];
  }
}
