import { Histogram } from '../../base/metrics/histogram.ts';
import { gauge, type Metric } from '../../base/metrics/metric.ts';
import type { PoolState } from './connections/postgres-pool.ts';

/** What is known about the connections to PostgreSQL, for monitoring. */
export class PostgresMetrics {
  readonly #waits = new Histogram(
    'gatehouse_postgres_wait_seconds',
    'Time that statements and transactions have waited for a connection, of those that had to wait.',
  );
  readonly #wait = this.#waits.of({});

  readonly onWaited = (milliseconds: number): void => this.#wait.observeMilliseconds(milliseconds);

  /** @param waiting the statements and transactions that wait for their turn, before the pool */
  collect(size: number, { open, used, waiting: inPool }: PoolState, waiting: number): readonly Metric[] {
    return [
      gauge('gatehouse_postgres_connections_max', 'The size of the pool of connections.', size),
      gauge('gatehouse_postgres_connections', 'Connections of the pool by state.', [
        { labels: { state: 'used' }, value: used },
        { labels: { state: 'idle' }, value: open - used },
      ]),
      gauge(
        'gatehouse_postgres_waiting',
        'Statements and transactions that wait for a connection.',
        inPool + waiting,
      ),
      this.#waits.metric(),
    ];
  }
}
