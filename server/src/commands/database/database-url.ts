import {
  formatPostgresUrl,
  parsePostgresUrl,
  sslModeAt,
} from '../../storage/postgres/connections/postgres-url.ts';

/** A URL without its passwords, safe to print. */
export function withoutSecrets(address: string): string {
  if (/^postgres(?:ql)?:/.test(address)) {
    const url = parsePostgresUrl(address);
    return url ? formatPostgresUrl(url, '***') : 'postgres://***';
  }
  const url = URL.parse(address);
  if (!url?.host) return address;
  const secrets = [...url.searchParams.keys()].filter((name) => /pass|secret|token|key/i.test(name));
  if (!url.password && secrets.length === 0) return address;
  if (url.password) url.password = '***';
  for (const name of secrets) url.searchParams.set(name, '***');
  return url.href;
}

/** The URL of a PostgreSQL database for the command line of its own programs, which ask for the password themselves. */
export function urlForPrograms(address: string): string {
  const url = parsePostgresUrl(address)!;
  const { options } = url.parameters;
  const parameters = {
    ...(options === undefined ? {} : { options }),
    ...(url.hosts.length > 1 ? { target_session_attrs: 'read-write' } : {}),
  };
  // By default these programs encrypt only if the server offers it.
  const isEncrypted = url.hosts.every((host) => sslModeAt(url, host) === 'require');
  const sslMode = isEncrypted ? 'require' : url.sslMode;
  return shellQuoted(formatPostgresUrl({ ...url, sslMode, prepares: true, parameters }));
}

export function shellQuoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
