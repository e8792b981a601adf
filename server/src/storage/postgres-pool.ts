import { StoreUnavailable } from './errors.ts';
import { type Connect, PostgresConnection } from './postgres-connection.ts';

export interface PoolSettings {
  readonly size: number;
  /** How long one waits for a connection, and a connection for its server. */
  readonly waitMilliseconds: number;
  /** A server that owes an answer for so long is taken for gone. */
  readonly silenceMilliseconds: number;
}

/** After a failure nobody knocks for so long: a server that struggles is not to be overrun. */
const pauseAfterFailureMilliseconds = 100;
const sweepMilliseconds = 1_000;
/** A connection is replaced in time, so that memory of the server's process and an old address do not stay for ever. */
const lifetimeMilliseconds = 30 * 60_000;
const closeSeconds = 2;

interface Waiting {
  readonly alone: boolean;
  take(connection: PostgresConnection): void;
  refuse(error: unknown): void;
}

/** The connections to one server. Statements that stand alone share one; a transaction has one to itself. */
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

  /** @throws StoreUnavailable when there is no connection in time */
  share<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#use(false, work);
  }

  /** Gives a connection that nobody else uses from now on. @throws StoreUnavailable as `share` */
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

  /** The connection with the fewest users. Where none is idle another is opened, for those who come next. */
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

  /** Gives connections to those who wait. Where none can come, nobody is kept waiting. */
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
      // Where one server or one way to it is gone, those nobody has used since are gone as well.
      if (isAnySilent && connection.isUnheard(silenceMilliseconds)) connection.lose();
      else if (connection.users === 0 && connection.isOlderThan(lifetimeMilliseconds)) connection.lose();
    }
  }
}
