import { UnusableDatabaseServer } from '../../errors.ts';

/** Time limits of the server for one connection, in milliseconds, by the names of its settings. */
export interface TimeLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/** The limits with which no statement takes longer than this, and no other one waits longer for its locks. */
export function timeLimitsFor(statementMilliseconds: number): TimeLimits {
  return {
    statement_timeout: statementMilliseconds,
    lock_timeout: Math.ceil(statementMilliseconds / 2),
    idle_in_transaction_session_timeout: statementMilliseconds * 2,
  };
}

/** What the first query on a connection reads. */
export interface PostgresSession extends Record<keyof TimeLimits, string> {
  readonly is_standby: boolean;
  /** The name of the user as it is written in a statement. */
  readonly role: string;
  readonly time_zone: string;
}

/** The first query on each connection: whether it leads to a server that can write, and what applies there. */
export const sessionQuery = `SELECT pg_is_in_recovery() AS is_standby, quote_ident(session_user) AS role,
  current_setting('TimeZone') AS time_zone, current_setting('statement_timeout') AS statement_timeout,
  current_setting('lock_timeout') AS lock_timeout,
  current_setting('idle_in_transaction_session_timeout') AS idle_in_transaction_session_timeout`;

const utcNames = ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT'];

/**
 * Checks that the settings of a connection apply. Some poolers refuse start-up parameters, and others drop them.
 * @param limits undefined when only the time zone is checked
 * @throws {UnusableDatabaseServer} with the statements that make up for it
 */
export function requireSettings(session: PostgresSession, limits: TimeLimits | undefined): void {
  const missing = Object.entries(limits ?? {}).filter(([name, wanted]) => {
    const applied = millisecondsOf(session[name as keyof TimeLimits]);
    return applied === 0 || applied > wanted;
  });
  const values = missing.map(([name, wanted]) => [name, `${wanted}ms`]);
  // Times would be read wrongly.
  if (!utcNames.includes(session.time_zone)) values.push(['timezone', 'UTC']);
  if (values.length === 0) return;
  const statements = values.map(([name, value]) => `ALTER ROLE ${session.role} SET ${name} = '${value}';`);
  throw new UnusableDatabaseServer(
    `Settings that Gatehouse needs on each connection do not apply: ${values.map(([name]) => name).join(', ')}. A ` +
      `pooler between them does not pass them on. Run: ${statements.join(' ')} Then let the pooler open new ` +
      'connections, for example with RECONNECT in the console of PgBouncer.',
  );
}

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `8s` → 8,000. Times have a unit, except for 0, which is no limit. */
function millisecondsOf(setting: string): number {
  const [, number, unit = 'ms'] = /^(\d+)(\w+)?$/.exec(setting) ?? [];
  return Number(number ?? 0) * (milliseconds[unit] ?? 0);
}
