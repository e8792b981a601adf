import type postgres from 'postgres';
import { DatabaseServerFull, StoreUnavailable, UnusableDatabaseServer } from '../../errors.ts';
import { isAccessRefused, isLostConnection, isParameterRefused, isServerFull } from '../postgres-errors.ts';
import { declinesEncryption } from './encryption-offer.ts';
import { createClient } from './postgres-client.ts';
import {
  type ClientEvents,
  type ConnectionEvents,
  ConnectionLate,
  PostgresConnection,
} from './postgres-connection.ts';
import { type PostgresSession, requireSettings, sessionQuery, type TimeLimits } from './postgres-session.ts';
import { formatHost, type PostgresHost, type PostgresUrl, sslModeAt } from './postgres-url.ts';

/** A host that has not answered by then does not block the next one. */
const headStartMilliseconds = 250;

/** A server that only reads, because it repeats the changes of another. */
class StandbyServer extends Error {
  constructor() {
    super('is a standby');
    this.name = 'StandbyServer';
  }
}

/** What a host is, named as in the URL. */
export type HostState =
  | { readonly host: string; readonly role: 'primary' | 'standby' }
  | { readonly host: string; readonly role: 'unusable'; readonly reason: string };

/**
 * The hosts of a database, of which one is the primary. Each connection leads to it, wherever it has moved to: a
 * standby is never used, because it could miss the last changes, such as that a member was blocked.
 */
export class PostgresHosts {
  readonly #url: PostgresUrl;
  readonly #limits: TimeLimits;
  readonly #connectSeconds: number;
  /** The host that was the primary last. */
  #primary: PostgresHost;
  /** A pooler may refuse the time limits. Then they have to be settings of the role. */
  #sendsLimits = true;
  #areLimitsApplied = false;

  constructor(url: PostgresUrl, limits: TimeLimits, waitMilliseconds: number) {
    this.#url = url;
    this.#limits = limits;
    this.#connectSeconds = Math.ceil(waitMilliseconds / 1_000);
    this.#primary = url.hosts[0]!;
  }

  /**
   * Opens a connection to the primary. The first host is the one that was the primary last; the others follow when it
   * fails, or does not answer at once.
   */
  open(milliseconds: number, events: ConnectionEvents): Promise<PostgresConnection> {
    const others = this.#url.hosts.filter((host) => host !== this.#primary);
    const waiting = [this.#primary, ...others];
    const until = performance.now() + milliseconds;
    const failures: HostFailure[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<PostgresConnection>();
    let found: PostgresConnection | undefined;
    const ownEvents: ConnectionEvents = {
      ...events,
      // The connections that fail, or are not needed, are unknown to the caller.
      onLost: (connection) => void (connection === found && events.onLost(connection)),
    };
    let headStart: NodeJS.Timeout | undefined;
    const tryNext = () => {
      clearTimeout(headStart);
      const host = found ? undefined : waiting.shift();
      if (!host) return;
      if (waiting.length > 0) headStart = setTimeout(tryNext, headStartMilliseconds);
      this.#openAt(host, until - performance.now(), ownEvents).then(
        (connection) => {
          if (found) return connection.lose();
          found = connection;
          clearTimeout(headStart);
          this.#primary = host;
          resolve(connection);
        },
        (error) => {
          failures.push({ host, error });
          if (failures.length === this.#url.hosts.length) reject(summaryOf(failures));
          else tryNext();
        },
      );
    };
    tryNext();
    return promise;
  }

  /** What each host is. */
  inspect(milliseconds: number): Promise<HostState[]> {
    return Promise.all(
      this.#url.hosts.map(async (address): Promise<HostState> => {
        const host = formatHost(address);
        try {
          const connection = await this.#openAt(address, milliseconds, { onLost: () => {} });
          await connection.end(1);
          return { host, role: 'primary' };
        } catch (error) {
          if (error instanceof StandbyServer) return { host, role: 'standby' };
          return { host, role: 'unusable', reason: messageOf(error) };
        }
      }),
    );
  }

  async #openAt(
    host: PostgresHost,
    milliseconds: number,
    events: ConnectionEvents,
  ): Promise<PostgresConnection> {
    const sendsLimits = this.#sendsLimits;
    try {
      return await this.#openWith(host, sendsLimits, milliseconds, events);
    } catch (error) {
      if (isLostConnection(error)) await this.#requireEncryption(host, milliseconds);
      if (!sendsLimits || !isParameterRefused(error)) throw error;
      this.#sendsLimits = false;
      return this.#openWith(host, false, milliseconds, events);
    }
  }

  /** @throws {UnusableDatabaseServer} if the connection has to be encrypted and the server does not do that */
  async #requireEncryption(host: PostgresHost, milliseconds: number): Promise<void> {
    if (['disable', 'prefer'].includes(sslModeAt(this.#url, host))) return;
    if (!(await declinesEncryption(host, milliseconds))) return;
    throw new UnusableDatabaseServer(
      `${formatHost(host)} does not encrypt connections (TLS), which Gatehouse requires of another machine. Turn on ssl ` +
        'in its configuration, or, if its network is trusted, add ?sslmode=disable to GATEHOUSE_DATABASE_URL.',
    );
  }

  #openWith(
    host: PostgresHost,
    sendsLimits: boolean,
    milliseconds: number,
    events: ConnectionEvents,
  ): Promise<PostgresConnection> {
    return PostgresConnection.open(
      (clientEvents) => this.#createClient(host, sendsLimits, clientEvents),
      Math.max(Math.round(milliseconds), 1),
      events,
      {
        firstQuery: sessionQuery,
        check: (row) => this.#check(row as unknown as PostgresSession),
        pipelines: this.#url.prepares,
      },
    );
  }

  #check(session: PostgresSession): void {
    if (session.is_standby) throw new StandbyServer();
    // The limits are checked at the start: a running service continues when someone changes a setting of the role. With
    // another time zone it would not: it would read wrong times.
    requireSettings(session, this.#areLimitsApplied ? undefined : this.#limits);
    this.#areLimitsApplied = true;
  }

  #createClient(host: PostgresHost, sendsLimits: boolean, events: Partial<ClientEvents>): postgres.Sql {
    const limits = sendsLimits ? this.#limits : undefined;
    return createClient(this.#url, host, { connectSeconds: this.#connectSeconds, limits }, events);
  }
}

interface HostFailure {
  readonly host: PostgresHost;
  readonly error: unknown;
}

/** One error for those of all hosts. One that someone has to correct comes first, unchanged. */
function summaryOf(failures: readonly HostFailure[]): unknown {
  const errors = failures.map(({ error }) => error);
  const wrong = errors.find((error) => error instanceof UnusableDatabaseServer || isAccessRefused(error));
  if (wrong) return wrong;
  const text = failures.map(({ host, error }) => describe(host, error)).join('; ');
  const full = errors.find(
    (error) => isServerFull(error) || (error instanceof ConnectionLate && error.isAccepted),
  );
  if (full) return new DatabaseServerFull(text, full);
  const [error] = errors;
  return errors.length === 1 && !isOwn(error)
    ? error
    : new StoreUnavailable(new Error(text, { cause: error }));
}

function describe(host: PostgresHost, error: unknown): string {
  return `${formatHost(host)}${isOwn(error) ? '' : ':'} ${messageOf(error)}`;
}

/** Whether the message of an error continues after the name of the host. */
function isOwn(error: unknown): boolean {
  return error instanceof StandbyServer || error instanceof ConnectionLate;
}

function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? String(error));
}
