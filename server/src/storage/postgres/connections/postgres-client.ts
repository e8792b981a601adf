import postgres from 'postgres';
import type { ClientEvents } from './postgres-connection.ts';
import type { TimeLimits } from './postgres-session.ts';
import { type PostgresHost, type PostgresUrl, sslModeAt } from './postgres-url.ts';

export interface ClientOptions {
  readonly connectSeconds: number;
  /** The limits that the server should apply; undefined for those that the role or the database has. */
  readonly limits: TimeLimits | undefined;
}

/** The maximum delay of a timer, in seconds. */
const never = Math.floor((2 ** 31 - 1) / 1_000);

/** Creates a driver client that holds one connection to one host. */
export function createClient(
  url: PostgresUrl,
  host: PostgresHost,
  { connectSeconds, limits }: ClientOptions,
  events: Partial<ClientEvents>,
): postgres.Sql {
  const { user, password, database, prepares, parameters } = url;
  const sslMode = sslModeAt(url, host);
  return postgres({
    ...events,
    // As lists, which its types lack: the driver would divide an IPv6 address at its colons.
    host: [host.name] as unknown as string,
    port: [host.port] as unknown as number,
    // The driver knows the defaults of each.
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ssl: sslMode === 'disable' ? false : (sslMode as 'require'),
    prepare: prepares,
    max: 1,
    connect_timeout: connectSeconds,
    // One client is one connection (see `PostgresConnection`): the driver must neither reopen nor close it.
    backoff: () => never,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'gatehouse', timezone: 'UTC', ...limits, ...parameters },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // 1114/1184: timestamps without Date objects; 114/3802: JSON stays text, as on SQLite.
      timestamptz: { to: 1184, from: [1184], serialize: String, parse: toTimestamp },
      json: text(114),
      jsonb: text(3802),
    },
  });
}

function text(oid: number) {
  return { to: oid, from: [oid], serialize: String, parse: (value: string) => value };
}

/** `2026-01-31 09:30:00.12+00` → `2026-01-31T09:30:00.120Z`. */
function toTimestamp(value: string): string {
  // Nearly all times have three digits, which need no padding.
  if (value.length === 26 && value.endsWith('+00')) return `${value.slice(0, 10)}T${value.slice(11, 23)}Z`;
  const zone = value.lastIndexOf('+');
  const fraction = value.slice(20, zone);
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
