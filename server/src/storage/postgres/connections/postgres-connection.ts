import type postgres from 'postgres';
import { StoreUnavailable } from '../../errors.ts';
import type { Statement } from '../../sql/statement.ts';
import { isFromReadOnlyServer } from '../postgres-errors.ts';
import { consumeResult, type QueryResult, type RowValues } from '../row-objects.ts';

/** Sends a statement on a connection. */
export type Query = (
  connection: PostgresConnection,
  statement: Omit<Statement, 'sql'>,
) => Promise<QueryResult>;

/** What the driver reports about a client. */
export interface ClientEvents {
  readonly onclose: () => void;
  readonly onnotify: () => void;
  /** Called with each setting of the server, which is sent once the user is accepted. */
  readonly onparameter: () => void;
}

/** Creates a driver client that holds one connection. */
export type Connect = (events: Partial<ClientEvents>) => postgres.Sql;

export interface ConnectionEvents {
  readonly onLost: (connection: PostgresConnection) => void;
  readonly onNotification?: () => void;
  /** @param milliseconds the time that the server took, without the wait for earlier statements of the connection */
  readonly onResult?: (
    connection: PostgresConnection,
    text: string,
    milliseconds: number,
    requestId: string | undefined,
  ) => void;
}

/** Opens a connection. @throws when there is none within this time; the message says why */
export type OpenConnection = (milliseconds: number, events: ConnectionEvents) => Promise<PostgresConnection>;

export interface ConnectionSettings {
  /** The first query on the connection. */
  readonly firstQuery: string;
  /** Checks its row. @throws for a connection of no use */
  readonly check: (row: postgres.Row) => void;
  /**
   * Whether a statement is sent before the responses to the earlier ones. A pooler that changes the connection after each
   * transaction could change it between the two parts in which the driver sends a statement that is not prepared.
   */
  readonly pipelines: boolean;
}

/** A connection that was not opened in time. */
export class ConnectionLate extends Error {
  /** Whether the user was accepted, but the first query got no response: a pooler waits for a connection of its own. */
  readonly isAccepted: boolean;

  constructor(isAccepted: boolean, milliseconds: number) {
    super(
      isAccepted
        ? `accepted the connection, but did not answer the first query within ${milliseconds} ms`
        : `did not answer within ${milliseconds} ms`,
    );
    this.name = 'ConnectionLate';
    this.isAccepted = isAccepted;
  }
}

/** How long statements in progress may take on a connection that gets no further ones. */
const retireSeconds = 30;

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
  readonly #pipelines: boolean;
  /** Settled with the last statement. */
  #settled: Promise<unknown> = Promise.resolve();
  #accepted = false;
  #lost = false;
  #pending = 0;
  #receivedAt = performance.now();
  /** The time of the first query since the server last had nothing to answer. */
  #requestedAt = 0;

  /** @throws {ConnectionLate} after `milliseconds`, the driver's error, or that of the check */
  static async open(
    connect: Connect,
    milliseconds: number,
    events: ConnectionEvents,
    { firstQuery, check, pipelines }: ConnectionSettings,
  ): Promise<PostgresConnection> {
    const connection = new PostgresConnection(connect, events, pipelines);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      connection.lose();
    }, milliseconds);
    try {
      const { rows } = await connection.query(firstQuery, []);
      check(rows[0]!);
      return connection;
    } catch (error) {
      connection.lose();
      throw isLate ? new ConnectionLate(connection.#accepted, milliseconds) : error;
    } finally {
      clearTimeout(late);
    }
  }

  private constructor(connect: Connect, events: ConnectionEvents, pipelines: boolean) {
    this.#events = events;
    this.#pipelines = pipelines;
    this.#client = connect({
      onclose: () => this.lose(),
      onnotify: () => events.onNotification?.(),
      onparameter: () => {
        this.#accepted = true;
      },
    });
  }

  async query(
    text: string,
    values: readonly unknown[],
    prepare = false,
    requestId?: string,
  ): Promise<QueryResult> {
    if (this.#lost) throw new StoreUnavailable(new Error('The connection to PostgreSQL was lost.'));
    const requestedAt = performance.now();
    if (this.#pending === 0) this.#requestedAt = requestedAt;
    this.#pending += 1;
    try {
      return consumeResult(await this.#send(text, values, prepare));
    } catch (error) {
      // The server became a standby, or a pooler changed to one. Another connection may lead to the primary.
      if (isFromReadOnlyServer(error)) this.#retire();
      throw error;
    } finally {
      this.#pending -= 1;
      const receivedAt = performance.now();
      this.#events.onResult?.(this, text, receivedAt - Math.max(requestedAt, this.#receivedAt), requestId);
      this.#receivedAt = receivedAt;
    }
  }

  #send(text: string, values: readonly unknown[], prepare: boolean): PromiseLike<RowValues> {
    const send = () => this.#client.unsafe(text, values as never[], { prepare }).values();
    if (this.#pipelines) return send();
    const result = this.#settled.then(send);
    this.#settled = result.catch(() => {});
    return result;
  }

  /** Whether the server has a pending query and has sent nothing for this time. */
  isSilent(milliseconds: number): boolean {
    if (this.#pending === 0) return false;
    const since = Math.max(this.#requestedAt, this.#receivedAt);
    return performance.now() - since > milliseconds;
  }

  /** Whether the server has sent nothing for this time, even if there was no query. */
  isQuietFor(milliseconds: number): boolean {
    return performance.now() - this.#receivedAt > milliseconds;
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

  /** As `lose`, but the queries that others have already sent still get their results. */
  #retire(): void {
    if (this.#lost) return;
    this.end(retireSeconds).catch(() => {});
    this.#events.onLost(this);
  }
}
