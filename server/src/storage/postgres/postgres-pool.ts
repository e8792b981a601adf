import { StoreUnavailable } from '../errors.ts';
import { type Connect, PostgresConnection } from './postgres-connection.ts';

export interface PoolSettings {
  readonly size: number;
  /** The maximum wait for a connection of the pool, and for the server to accept a new one. */
  readonly waitMilliseconds: number;
  /** A server with an unanswered query that has been silent for this time is considered gone. */
  readonly silenceMilliseconds: number;
}

/** After a failure no connection is opened for this time, so that a struggling server is not overloaded. */
const pauseAfterFailureMilliseconds = 100;
const sweepMilliseconds = 1_000;
/**
 * Connections are replaced regularly, so that the server process's memory and an outdated address are not kept
 * forever.
 */
const lifetimeMilliseconds = 30 * 60_000;
const closeSeconds = 2;

interface Waiting {
  readonly alone: boolean;
  take(connection: PostgresConnection): void;
  refuse(error: unknown): void;
}

/** The connections to one server. Single statements share a connection; a transaction has its own. */
export class PostgresPool {
  readonly #connect: Connect;
  readonly #settings: PoolSettings;
  readonly #open = new Set<PostgresConnection>();
  readonly #lent = new Set<PostgresConnection>();
  readonly #waiting = new Set<Waiting>();
  readonly #sweep: NodeJS.Timeout;
  #opening = 0;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #closed = false;

  constructor(connect: Connect, settings: PoolSettings) {
    this.#connect = connect;
    this.#settings = settings;
    this.#sweep = setInterval(() => this.#replaceUnfit(), sweepMilliseconds).unref();
  }

  /** @throws {StoreUnavailable} when there is no connection in time */
  share<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#use(false, work);
  }

  /** Provides a connection for exclusive use. @throws {StoreUnavailable} as `share` */
  lend<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#use(true, work);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    this.#refuseAll(new Error('The pool is closed.'));
    await Promise.all([...this.#open].map((connection) => connection.end(closeSeconds)));
  }

  async #use<T>(alone: boolean, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = this.#take(alone) ?? (await this.#turn(alone));
    try {
      return await work(connection);
    } finally {
      connection.users -= 1;
      if (alone) this.#lent.delete(connection);
      this.#serve();
    }
  }

  /** Returns the connection with the fewest users. When none is idle, opens another for later callers. */
  #take(alone: boolean): PostgresConnection | undefined {
    let best: PostgresConnection | undefined;
    for (const connection of this.#open) {
      if (this.#lent.has(connection)) continue;
      if (best === undefined || connection.users < best.users) best = connection;
      if (connection.users === 0) break;
    }
    if (best === undefined || best.users > 0) this.#openAnother();
    if (best === undefined) return undefined;
    best.users += 1;
    if (alone) this.#lent.add(best);
    return best;
  }

  #turn(alone: boolean): Promise<PostgresConnection> {
    const { waitMilliseconds } = this.#settings;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        alone,
        take: (connection) => {
          settle();
          resolve(connection);
        },
        refuse: (error) => {
          settle();
          reject(new StoreUnavailable(error));
        },
      };
      const timer = setTimeout(
        () => waiting.refuse(new Error(`No connection was free within ${waitMilliseconds} ms.`)),
        waitMilliseconds,
      );
      this.#waiting.add(waiting);
      if (this.#isCutOff()) this.#refuseAll(this.#failure?.error);
    });
  }

  /** Gives connections to waiting callers. When none can be opened, rejects them immediately. */
  #serve(): void {
    for (const waiting of this.#waiting) {
      const connection = this.#take(waiting.alone);
      if (!connection) break;
      waiting.take(connection);
    }
    if (this.#isCutOff()) this.#refuseAll(this.#failure?.error);
  }

  #isCutOff(): boolean {
    return this.#open.size === 0 && this.#opening === 0;
  }

  #refuseAll(error: unknown): void {
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
  }

  #openAnother(): void {
    const { size, waitMilliseconds } = this.#settings;
    if (this.#closed || this.#open.size + this.#opening >= size) return;
    if (this.#failure && performance.now() - this.#failure.at < pauseAfterFailureMilliseconds) return;
    this.#opening += 1;
    PostgresConnection.open(this.#connect, waitMilliseconds, { onLost: (lost) => this.#drop(lost) }).then(
      (connection) => {
        this.#opening -= 1;
        this.#failure = undefined;
        if (this.#closed) return void connection.end(closeSeconds);
        this.#open.add(connection);
        this.#serve();
      },
      (error) => {
        this.#opening -= 1;
        this.#failure = { error, at: performance.now() };
        this.#serve();
      },
    );
  }

  #drop(lost: PostgresConnection): void {
    if (this.#open.delete(lost)) this.#serve();
  }

  #replaceUnfit(): void {
    const { silenceMilliseconds } = this.#settings;
    const connections = [...this.#open];
    const isAnySilent = connections.some((connection) => connection.isSilent(silenceMilliseconds));
    for (const connection of connections) {
      // When one connection is silent, the server or the network is gone, and so are connections not used since.
      if (isAnySilent && connection.isUnheard(silenceMilliseconds)) connection.lose();
      else if (connection.users === 0 && connection.isOlderThan(lifetimeMilliseconds)) connection.lose();
    }
  }
}
