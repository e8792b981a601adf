import type { OpenConnection, PostgresConnection } from './connections/postgres-connection.ts';
import { SnapshotPolling } from './snapshot-polling.ts';

const channel = 'gatehouse';
const openMilliseconds = 5_000;
const retryMilliseconds = 1_000;
const pingMilliseconds = 5_000;
/** How long a signal may take that proves that signals arrive. */
const proofMilliseconds = 2_000;

/** The statement that notifies every process when its transaction commits. */
export const notifyStatement = `NOTIFY ${channel}`;

/** Equal in two transactions only if they see the same data. */
export const snapshotStatement = 'SELECT pg_current_snapshot()::text AS snapshot';

export interface SignalSources {
  /** Opens the connection that listens; undefined where none can. */
  readonly open: OpenConnection | undefined;
  /** Signals every process, through the connections of the pool. */
  readonly send: () => Promise<void>;
  readonly readSnapshot: () => Promise<string>;
  /** Called when signals cannot be received although they should. */
  readonly onWarning: (message: string) => void;
}

/**
 * Counts the signals of all processes on its own connection, which is reopened when lost. Without such a connection,
 * it counts what polling detects.
 */
export class PostgresSignals {
  readonly #sources: SignalSources;
  #received = 0;
  /** How often it was asked while changes could be missed. */
  #uncertain = 0;
  #connection: PostgresConnection | undefined;
  #polling: SnapshotPolling | undefined;
  /** Settled by the first signal, while it is not known whether signals arrive. */
  #proof: PromiseWithResolvers<boolean> | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #pingTimer: NodeJS.Timeout;
  #closed = false;

  constructor(sources: SignalSources) {
    this.#sources = sources;
    this.#pingTimer = setInterval(() => this.#ping(), pingMilliseconds).unref();
    if (sources.open) this.#listen(sources.open);
    else this.#poll();
  }

  /** While changes may be missed, because the connection is down for example, the count changes at every call. */
  count(): number {
    const isCurrent = this.#polling ? this.#polling.isCurrent() : this.#connection !== undefined;
    if (!isCurrent) this.#uncertain += 1;
    return this.#received + this.#uncertain;
  }

  /** Changes only when a signal or a change is noticed, and when a lost connection is replaced. */
  receivedCount(): number {
    return this.#received;
  }

  /** Called when a transaction of this process has signaled. */
  raise(): void {
    this.#received += 1;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pingTimer);
    clearTimeout(this.#retry);
    await this.#connection?.end(0);
  }

  async #listen(open: OpenConnection): Promise<void> {
    let opened: PostgresConnection | undefined;
    try {
      const connection = await open(openMilliseconds, {
        onLost: () => this.#lost(),
        onNotification: () => {
          this.#received += 1;
          this.#proof?.resolve(true);
        },
      });
      opened = connection;
      await connection.query(`LISTEN ${channel}`, []);
      // Twice, because a busy process may read the first one too late.
      const arrives = (await this.#doSignalsArrive()) || (await this.#doSignalsArrive());
      this.#received += 1;
      if (arrives && !this.#closed) this.#connection = connection;
      else await connection.end(0);
      if (!arrives) this.#giveUp();
    } catch {
      opened?.lose();
      this.#listenLater();
    }
  }

  /**
   * A pooler may give the connection that listens to another client. Then, or if it leads to another database, no
   * signal arrives.
   */
  async #doSignalsArrive(): Promise<boolean> {
    const proof = Promise.withResolvers<boolean>();
    this.#proof = proof;
    let late: NodeJS.Timeout | undefined;
    const sent = this.#sources.send().then(() => {
      late = setTimeout(() => proof.resolve(false), proofMilliseconds).unref();
    });
    try {
      const [arrived] = await Promise.all([proof.promise, sent]);
      return arrived;
    } finally {
      clearTimeout(late);
      this.#proof = undefined;
    }
  }

  #giveUp(): void {
    if (this.#closed) return;
    this.#sources.onWarning(
      'Signals of other processes do not arrive, so that their changes are noticed by polling. Set ' +
        'GATEHOUSE_DATABASE_DIRECT_URL to the URL of the same database without a pooler.',
    );
    this.#poll();
  }

  #poll(): void {
    this.#polling = new SnapshotPolling(this.#sources.readSnapshot, () => {
      this.#received += 1;
    });
  }

  #lost(): void {
    this.#proof?.reject(new Error('The connection that listens was lost.'));
    // Until it is in use, `#listen` itself notices.
    if (!this.#connection) return;
    this.#connection = undefined;
    this.#listenLater();
  }

  #listenLater(): void {
    const { open } = this.#sources;
    if (this.#closed || this.#polling || !open) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#listen(open), retryMilliseconds).unref();
  }

  /** A connection that only listens would not notice that its server has disappeared. */
  #ping(): void {
    if (this.#connection?.isSilent(pingMilliseconds)) this.#connection.lose();
    else this.#connection?.query('SELECT 1', []).catch(() => {});
  }
}
