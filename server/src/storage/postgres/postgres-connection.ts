import type postgres from 'postgres';
import { StoreUnavailable } from '../errors.ts';
import { toObjects } from './row-objects.ts';

export type Rows = postgres.RowList<postgres.Row[]>;

/** Creates a driver client that holds one connection. */
export type Connect = (events: {
  readonly onclose: () => void;
  readonly onnotify: () => void;
}) => postgres.Sql;

export interface ConnectionEvents {
  readonly onLost: (connection: PostgresConnection) => void;
  readonly onNotification?: () => void;
  /** @param milliseconds the time that the server took, without the wait for earlier statements of the connection */
  readonly onAnswer?: (connection: PostgresConnection, text: string, milliseconds: number) => void;
}

/**
 * One connection to PostgreSQL, from open to close. The driver would silently reopen a lost connection while it is in
 * use: the rest of a transaction could then run outside it, or end the process (porsager/postgres#1208, #1215). So a
 * lost connection stays lost, and its owner opens another.
 */
export class PostgresConnection {
  /** The number of current users, maintained by the owner. */
  users = 0;
  /** Those of them whose statement is slow. */
  slowUsers = 0;
  readonly #openedAt = performance.now();
  readonly #client: postgres.Sql;
  readonly #events: ConnectionEvents;
  #lost = false;
  #unanswered = 0;
  #heardAt = performance.now();
  /** The time of the first query since the server last had nothing to answer. */
  #requestedAt = 0;

  /** @throws the driver's error when there is no connection within `milliseconds` */
  static async open(
    connect: Connect,
    milliseconds: number,
    events: ConnectionEvents,
  ): Promise<PostgresConnection> {
    const connection = new PostgresConnection(connect, events);
    const late = setTimeout(() => connection.lose(), milliseconds);
    try {
      await connection.query('SELECT 1', []);
      return connection;
    } catch (error) {
      connection.lose();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  private constructor(connect: Connect, events: ConnectionEvents) {
    this.#events = events;
    this.#client = connect({ onclose: () => this.lose(), onnotify: () => events.onNotification?.() });
  }

  async query(text: string, values: readonly unknown[], prepare = false): Promise<Rows> {
    if (this.#lost) throw new StoreUnavailable(new Error('The connection to PostgreSQL was lost.'));
    const requestedAt = performance.now();
    if (this.#unanswered === 0) this.#requestedAt = requestedAt;
    this.#unanswered += 1;
    try {
      return toObjects(await this.#client.unsafe(text, values as never[], { prepare }).values());
    } finally {
      this.#unanswered -= 1;
      const heardAt = performance.now();
      this.#events.onAnswer?.(this, text, heardAt - Math.max(requestedAt, this.#heardAt));
      this.#heardAt = heardAt;
    }
  }

  /** Whether the server has an unanswered query and has sent nothing for this time. */
  isSilent(milliseconds: number): boolean {
    if (this.#unanswered === 0) return false;
    const since = Math.max(this.#requestedAt, this.#heardAt);
    return performance.now() - since > milliseconds;
  }

  /** Whether the server has sent nothing for this time, even if there was no query. */
  isUnheard(milliseconds: number): boolean {
    return performance.now() - this.#heardAt > milliseconds;
  }

  isOlderThan(milliseconds: number): boolean {
    return performance.now() - this.#openedAt > milliseconds;
  }

  /** Drops the connection: pending queries fail, and the server rolls back what was not committed. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#client.end({ timeout: 0 }).catch(() => {});
    this.#events.onLost(this);
  }

  /** Closes the connection when running queries have ended, or after this many seconds. */
  async end(seconds: number): Promise<void> {
    this.#lost = true;
    await this.#client.end({ timeout: seconds });
  }
}
