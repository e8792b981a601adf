import { type Clock, millisecondsBetween, type Timestamp } from '../base/clock.ts';
import { gauge, type Metric } from '../base/metrics/metric.ts';
import { countWaitingEmails, findFirstDueEmailTime } from '../domain/emails/emails.ts';
import { findFirstRequestTime } from '../domain/login-links/login-links.ts';
import { findFirstDueRunTime } from '../domain/sources/runs/runs.ts';
import type { Queries } from '../storage/database.ts';

/** Counting more would take long, and would tell nothing new. */
const maxCountedEmails = 10_000;
/** Each process reads the store at most this often, however often its metrics are collected. */
const maxAgeMilliseconds = 10_000;
const deadlineMilliseconds = 2_000;

/** The work that waits in the store, over all sites and whatever process does it. */
export class DueWork {
  readonly #db: Queries;
  readonly #clock: Clock;
  #last: readonly Metric[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(db: Queries, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** While the store does not answer, only tells that. */
  async metrics(): Promise<readonly Metric[]> {
    if (performance.now() - this.#lastAt < maxAgeMilliseconds) return this.#last;
    try {
      this.#last = [storeIsUp(1), ...(await inTime(findDueWork(this.#db, this.#clock().toISOString())))];
      this.#lastAt = performance.now();
      return this.#last;
    } catch {
      // The requests that fail meanwhile are logged.
      return [storeIsUp(0)];
    }
  }
}

/** Reads a few rows by indexes that contain only waiting work. */
export async function findDueWork(db: Queries, now: Timestamp): Promise<readonly Metric[]> {
  const [waiting, email, request, run] = await Promise.all([
    countWaitingEmails(db, maxCountedEmails),
    findFirstDueEmailTime(db, now),
    findFirstRequestTime(db),
    findFirstDueRunTime(db, now),
  ]);
  const age = (job: string, since: Timestamp | undefined) => ({
    labels: { job },
    value: since === undefined ? 0 : Math.max(0, millisecondsBetween(since, now)) / 1_000,
  });
  return [
    gauge(
      'gatehouse_emails_waiting',
      `Emails that wait for the mail server, on all sites, counted up to ${maxCountedEmails}.`,
      waiting,
    ),
    gauge(
      'gatehouse_due_work_age_seconds',
      'Time since when the oldest work in the store is due, by its job.',
      [age('email-delivery', email), age('login-requests', request), age('source-sync', run)],
    ),
  ];
}

function storeIsUp(value: 0 | 1): Metric {
  return gauge('gatehouse_store_up', '1 if the store has answered when the metrics were collected.', value);
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error('The store did not answer in time.')),
    deadlineMilliseconds,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
