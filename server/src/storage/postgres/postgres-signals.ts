import { type Connect, PostgresConnection } from './postgres-connection.ts';

const channel = 'gatehouse';
const openMilliseconds = 5_000;
const retryMilliseconds = 1_000;
const pingMilliseconds = 5_000;

/** The statement that notifies every process when its transaction commits. */
export const notifyStatement = `NOTIFY ${channel}`;

/** Counts the signals of all processes on its own connection, which is reopened when lost. */
export class PostgresSignals {
  readonly #connect: Connect;
  #count = 0;
  #connection: PostgresConnection | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #pingTimer: NodeJS.Timeout;
  #closed = false;

  constructor(connect: Connect) {
    this.#connect = connect;
    this.#pingTimer = setInterval(() => this.#ping(), pingMilliseconds).unref();
    this.#listen();
  }

  /** While the connection is down, the count changes at every call, because a signal may be missed. */
  count(): number {
    if (!this.#connection) this.#count += 1;
    return this.#count;
  }

  /** Called when a transaction of this process has signaled. */
  raise(): void {
    this.#count += 1;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pingTimer);
    clearTimeout(this.#retry);
    await this.#connection?.end(0);
  }

  async #listen(): Promise<void> {
    try {
      const connection = await PostgresConnection.open(this.#connect, openMilliseconds, {
        onLost: () => this.#lost(),
        onNotification: () => {
          this.#count += 1;
        },
      });
      await connection.query(`LISTEN ${channel}`, []);
      this.#count += 1;
      if (this.#closed) await connection.end(0);
      else this.#connection = connection;
    } catch {
      // `#lost` has been called and will retry.
    }
  }

  #lost(): void {
    this.#connection = undefined;
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#listen(), retryMilliseconds).unref();
  }

  /** A connection that only listens would not notice that its server has disappeared. */
  #ping(): void {
    if (this.#connection?.isSilent(pingMilliseconds)) this.#connection.lose();
    else this.#connection?.query('SELECT 1', []).catch(() => {});
  }
}
