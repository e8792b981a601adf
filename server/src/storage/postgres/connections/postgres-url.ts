import { isThisMachine } from '../../../base/networks/this-machine.ts';

/** One of the hosts of a database: a primary, or a standby that may become one. */
export interface PostgresHost {
  /** A name or an IP address, without brackets. */
  readonly name: string;
  readonly port: number;
}

/** How a connection is encrypted, in the words of libpq. Without a check of the certificate up to `require`. */
export type SslMode = (typeof sslModes)[number];

/** The parts of `postgres://user:password@host:port,host:port/name?parameters`. */
export interface PostgresUrl {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly hosts: readonly PostgresHost[];
  readonly database: string | undefined;
  /** Undefined for that of `sslModeAt`. */
  readonly sslMode: SslMode | undefined;
  /** Whether statements are prepared by name. Not with a pooler that changes the connection after each transaction. */
  readonly prepares: boolean;
  /** Start-up parameters for the server, such as `options`. */
  readonly parameters: Readonly<Record<string, string>>;
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const defaultPort = 5432;
const hostPattern = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
/** Parameters of libpq that Gatehouse does not support. Sent to the server, they would have no or another effect. */
const unsupported =
  /^(?:user|password|passfile|host|hostaddr|port|dbname|service|ssl.+|gss.+|krb.+|channel_binding|require_auth|load_balance_hosts)$/;
/** Every standby is avoided, so these need nothing more. */
const acceptedTargets = ['primary', 'read-write', 'any'];

/**
 * Reads the URL of a PostgreSQL database, strictly: a special character in a password that is not percent-encoded must
 * not turn a part of the password into a host. Returns undefined for any other text, so that no message contains it.
 */
export function parsePostgresUrl(text: string): PostgresUrl | undefined {
  const [, authority, path = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?#\s]*)(?:\/([^/?#@\s]*))?(?:\?([^?#@\s]*))?$/.exec(text) ?? [];
  if (authority === undefined) return undefined;
  const at = authority.lastIndexOf('@');
  const [user, password] = splitOnce(authority.slice(0, Math.max(at, 0)), ':').map(decoded);
  const hosts = parseHosts(authority.slice(at + 1));
  const database = decoded(path);
  const parameters = parseParameters(query);
  if ([user, password, database, hosts, parameters].includes(undefined)) return undefined;
  const present = (part: string | undefined) => (part === '' ? undefined : part);
  return {
    user: present(user),
    password: present(password),
    hosts: hosts!,
    database: present(database),
    ...parameters!,
  };
}

/** How a connection to one of the hosts is encrypted: one to another machine always is, unless the URL says otherwise. */
export function sslModeAt({ sslMode }: PostgresUrl, { name }: PostgresHost): SslMode {
  return sslMode ?? (isThisMachine(name) ? 'disable' : 'require');
}

/** The URL as text. @param password what is written in its place; without it there is none */
export function formatPostgresUrl(url: PostgresUrl, password?: string): string {
  const { user, hosts, database, parameters } = url;
  const secret = url.password === undefined || password === undefined ? '' : `:${password}`;
  const userInfo = user === undefined && secret === '' ? '' : `${encodeURIComponent(user ?? '')}${secret}@`;
  const places = hosts.map(formatHost).join(',');
  const path = database === undefined ? '' : `/${encodeURIComponent(database)}`;
  const query = new URLSearchParams({
    ...(url.sslMode === undefined ? {} : { sslmode: url.sslMode }),
    ...(url.prepares ? {} : { prepare: 'false' }),
    ...parameters,
  }).toString();
  return `postgres://${userInfo}${places}${path}${query === '' ? '' : `?${query.replaceAll('+', '%20')}`}`;
}

/** A host as it is written in a URL. The default port is left out. */
export function formatHost({ name, port }: PostgresHost): string {
  const host = name.includes(':') ? `[${name}]` : name;
  return port === defaultPort ? host : `${host}:${port}`;
}

function parseHosts(text: string): PostgresHost[] | undefined {
  if (text === '') return [{ name: 'localhost', port: defaultPort }];
  const hosts = text.split(',').map((part): PostgresHost | undefined => {
    const [match, address, name, port = String(defaultPort)] = hostPattern.exec(part) ?? [];
    if (match === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
    return { name: (address ?? name)!, port: Number(port) };
  });
  return hosts.includes(undefined) ? undefined : (hosts as PostgresHost[]);
}

function parseParameters(
  query: string,
): Pick<PostgresUrl, 'sslMode' | 'prepares' | 'parameters'> | undefined {
  let sslMode: SslMode | undefined;
  let prepares = true;
  const parameters: Record<string, string> = {};
  for (const part of query === '' ? [] : query.split('&')) {
    const [name, value] = splitOnce(part, '=').map((text) => decoded(text.replaceAll('+', ' ')));
    if (name === undefined || value === undefined || name in parameters) return undefined;
    if (name === 'prepare') {
      if (!/^(true|false)$/.test(value)) return undefined;
      prepares = value === 'true';
    } else if (name === 'sslmode' || name === 'ssl') {
      const mode = sslModeOf(value);
      if (mode === undefined) return undefined;
      sslMode = mode;
    } else if (name === 'sslrootcert' && value === 'system') {
      sslMode = 'verify-full';
    } else if (name === 'target_session_attrs') {
      if (!acceptedTargets.includes(value)) return undefined;
    } else if (name !== 'connect_timeout') {
      if (!/^[a-z][a-z_.]*$/i.test(name) || unsupported.test(name)) return undefined;
      parameters[name] = value;
    }
  }
  return { sslMode, prepares, parameters };
}

function sslModeOf(value: string): SslMode | undefined {
  if (value === 'true') return 'verify-full';
  if (value === 'false') return 'disable';
  return sslModes.find((mode) => mode === value);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Undefined for a wrong encoding, and for NUL, which would end the value in the start-up message. */
function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return value.includes('\0') ? undefined : value;
  } catch {
    return undefined;
  }
}
