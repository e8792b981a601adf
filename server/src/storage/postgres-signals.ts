import { type Connect, PostgresConnection } from './postgres-connection.ts';

const channel = 'gatehouse';
const openMilliseconds = 5_000;
const retryMilliseconds = 1_000;
const askMilliseconds = 5_000;

/** What a transaction runs to be heard by every process, at its commit. */
export const notifyStatement = `NOTIFY ${channel}`;

/** Counts the signals of every process on a connection of its own, which is made anew when it is lost. */
export class PostgresSignals {
  readonly #connect: Connect;
  #count = 0;
  #connection: PostgresConnection | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #ask: NodeJS.Timeout;
  #closed = false;

  constructor(connect: Connect) {
    this.#connect = connect;
    this.#ask = setInterval(() => this.#askForLife(), askMilliseconds).unref();
    this.#listen();
  }

  /** Changes at every call while nobody listens: then a signal may be missed. */
  count(): number {
    if (!this.#connection) this.#count += 1;
    return this.#count;
  }

  /** A transaction of this process has called. */
  raise(): void {
    this.#count += 1;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#ask);
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
      // `#lost` has been told, and tries again.
    }
  }

  #lost(): void {
    this.#connection = undefined;
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#listen(), retryMilliseconds).unref();
  }

  /** A connection that only hears would not notice that its server has gone without a word. */
  #askForLife(): void {
    if (this.#connection?.isSilent(askMilliseconds)) this.#connection.lose();
    else this.#connection?.query('SELECT 1', []).catch(() => {});
  }
}
