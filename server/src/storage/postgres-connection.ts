import type postgres from 'postgres';
import { StoreUnavailable } from './errors.ts';

export type Rows = postgres.RowList<postgres.Row[]>;

/** Makes a client of the driver that holds one connection. */
export type Connect = (events: {
  readonly onclose: () => void;
  readonly onnotify: () => void;
}) => postgres.Sql;

export interface ConnectionEvents {
  readonly onLost: (connection: PostgresConnection) => void;
  readonly onNotification?: () => void;
}

/**
 * One connection to PostgreSQL, from its opening to its end. The driver would make a lost connection anew under the
 * hands of whoever uses it: what is left of a transaction could then run outside of it, or end the process
 * (porsager/postgres#1208, #1215). So a connection that is lost stays lost, and its owner opens another.
 */
export class PostgresConnection {
  /** Who uses it at this moment; its owner counts them. */
  users = 0;
  readonly #openedAt = performance.now();
  readonly #client: postgres.Sql;
  readonly #events: ConnectionEvents;
  #lost = false;
  #unanswered = 0;
  #heardAt = performance.now();
  /** When the server, having answered everything, was asked again. */
  #askedAt = 0;

  /** @throws what the driver says when there is no connection after so many milliseconds */
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
    if (this.#unanswered === 0) this.#askedAt = performance.now();
    this.#unanswered += 1;
    try {
      return await this.#client.unsafe(text, values as never[], { prepare });
    } finally {
      this.#unanswered -= 1;
      this.#heardAt = performance.now();
    }
  }

  /** Whether the server owes an answer and has said nothing for so long. */
  isSilent(milliseconds: number): boolean {
    const since = Math.max(this.#askedAt, this.#heardAt);
    return this.#unanswered > 0 && performance.now() - since > milliseconds;
  }

  /** Whether nothing has been heard of the server for so long, be it that nobody asked. */
  isUnheard(milliseconds: number): boolean {
    return performance.now() - this.#heardAt > milliseconds;
  }

  isOlderThan(milliseconds: number): boolean {
    return performance.now() - this.#openedAt > milliseconds;
  }

  /** Gives the connection up: whatever waits on it fails, and the server undoes what was not committed. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#client.end({ timeout: 0 }).catch(() => {});
    this.#events.onLost(this);
  }

  /** Closes it when what runs has ended, or after so many seconds. */
  async end(seconds: number): Promise<void> {
    this.#lost = true;
    await this.#client.end({ timeout: seconds });
  }
}
