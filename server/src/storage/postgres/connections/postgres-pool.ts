import { StoreUnavailable } from '../../errors.ts';
import type { Statement } from '../../sql/statement.ts';
import { SlowStatements } from '../slow-statements.ts';
import type { ConnectionEvents, OpenConnection, PostgresConnection } from './postgres-connection.ts';

export interface PoolSettings {
  readonly size: number;
  /** The maximum wait for a connection of the pool, and for the server to accept a new one. */
  readonly waitMilliseconds: number;
  /** A server with an unanswered query that has been silent for this time is considered gone. */
  readonly silenceMilliseconds: number;
  /** Whether a connection takes statements before its earlier ones are answered, as the driver does with prepared ones. */
  readonly pipelines: boolean;
  /** Called with the time that a caller has waited for a connection, also in vain. */
  readonly onWaited?: (milliseconds: number) => void;
  /** Called with each answer of the server, and the time that the server took. */
  readonly onResult?: ((text: string, milliseconds: number, requestId?: string) => void) | undefined;
}

/** The connections of a pool. */
export interface PoolState {
  readonly open: number;
  readonly used: number;
  /** The callers that wait for a connection. */
  readonly waiting: number;
}

/** After a failure no connection is opened for this time, so that a struggling server is not overloaded. */
const pauseAfterFailureMilliseconds = 100;
/** Of the wait for a connection. So those who wait learn why none could be opened. */
const openingShare = 0.9;
const sweepMilliseconds = 1_000;
/**
 * Connections are replaced regularly, so that the server process's memory and an outdated address are not kept
 * forever.
 */
const lifetimeMilliseconds = 30 * 60_000;
const closeSeconds = 2;
/** The maximum number of quick statements that share a connection while another one could serve them. */
const maxShared = 32;
/** Quick statements do not wait behind one that takes longer than this. */
const quickMilliseconds = 10;

/** `shared`: for a quick statement; `unshared`: for a slow one, on the least used connection; `alone`: exclusively. */
type Use = 'shared' | 'unshared' | 'alone';

interface Waiting {
  readonly use: Use;
  take(connection: PostgresConnection): void;
  refuse(error: unknown): void;
}

/**
 * The connections to one server. A transaction has its own. Single statements share few connections, as long as those
 * answer promptly, because what is sent together costs one system call; slow ones have connections that are idle.
 */
export class PostgresPool {
  readonly #openConnection: OpenConnection;
  readonly #settings: PoolSettings;
  readonly #open = new Set<PostgresConnection>();
  readonly #exclusive = new Set<PostgresConnection>();
  readonly #waiting = new Set<Waiting>();
  readonly #slowStatements = new SlowStatements(quickMilliseconds);
  readonly #sweep: NodeJS.Timeout;
  #opening = 0;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #closed = false;

  constructor(openConnection: OpenConnection, settings: PoolSettings) {
    this.#openConnection = openConnection;
    this.#settings = settings;
    this.#sweep = setInterval(() => this.#replaceUnfit(), sweepMilliseconds).unref();
  }

  /** Provides a connection for one statement. @throws {StoreUnavailable} when there is no connection in time */
  share<T>(
    { text, isSearch }: Omit<Statement, 'sql'>,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const isShared = this.#settings.pipelines && !isSearch && !this.#slowStatements.has(text);
    return this.#use(isShared ? 'shared' : 'unshared', work);
  }

  /** Provides a connection for exclusive use. @throws {StoreUnavailable} as `share` */
  withConnection<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    return this.#use('alone', work);
  }

  state(): PoolState {
    const used = [...this.#open].filter(({ users }) => users > 0).length;
    return { open: this.#open.size, used, waiting: this.#waiting.size };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    this.#refuseAll(new Error('The pool is closed.'));
    await Promise.all([...this.#open].map((connection) => connection.end(closeSeconds)));
  }

  async #use<T>(use: Use, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = this.#take(use) ?? (await this.#turn(use));
    try {
      return await work(connection);
    } finally {
      connection.users -= 1;
      if (use === 'alone') this.#exclusive.delete(connection);
      if (use === 'unshared') connection.slowUsers -= 1;
      this.#serve();
    }
  }

  #take(use: Use): PostgresConnection | undefined {
    const connection = (use === 'shared' ? this.#findPrompt() : undefined) ?? this.#findLeastUsed();
    if (connection === undefined) return undefined;
    connection.users += 1;
    if (use === 'alone') this.#exclusive.add(connection);
    if (use === 'unshared') connection.slowUsers += 1;
    return connection;
  }

  /** The connection that was opened first among those that answer promptly. */
  #findPrompt(): PostgresConnection | undefined {
    for (const connection of this.#open) {
      const { users, slowUsers } = connection;
      if (this.#exclusive.has(connection) || users >= maxShared || slowUsers > 0) continue;
      if (!connection.isSilent(quickMilliseconds)) return connection;
    }
    return undefined;
  }

  /** The connection with the fewest users, and of these the one opened last. When none is idle, opens another for later. */
  #findLeastUsed(): PostgresConnection | undefined {
    let best: PostgresConnection | undefined;
    for (const connection of this.#open) {
      if (this.#exclusive.has(connection)) continue;
      if (best === undefined || connection.users <= best.users) best = connection;
    }
    if (best === undefined || best.users > 0) this.#openAnother();
    return best;
  }

  #turn(use: Use): Promise<PostgresConnection> {
    const { waitMilliseconds, onWaited } = this.#settings;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        onWaited?.(performance.now() - since);
      };
      const waiting: Waiting = {
        use,
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
      const connection = this.#take(waiting.use);
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
    // One attempt at a time, until one succeeds: the servers may be busy with a failover.
    if (this.#failure && (this.#opening > 0 || this.#isPaused(this.#failure.at))) return;
    this.#opening += 1;
    const events: ConnectionEvents = {
      onLost: (lost) => this.#drop(lost),
      onResult: (connection, text, milliseconds, requestId) => {
        this.#settings.onResult?.(text, milliseconds, requestId);
        // In transactions, statements wait for locks, and those with many rows have long texts.
        if (!this.#exclusive.has(connection)) this.#slowStatements.record(text, milliseconds);
      },
    };
    this.#openConnection(openingShare * waitMilliseconds, events).then(
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

  #isPaused(failedAt: number): boolean {
    return performance.now() - failedAt < pauseAfterFailureMilliseconds;
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
      if (isAnySilent && connection.isQuietFor(silenceMilliseconds)) connection.lose();
      else if (connection.users === 0 && connection.isOlderThan(lifetimeMilliseconds)) connection.lose();
    }
  }
}
