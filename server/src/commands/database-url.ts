/** A URL without its passwords, safe to print. */
export function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  if (!url?.host) return address;
  const secrets = [...url.searchParams.keys()].filter((name) => /pass|secret|token|key/i.test(name));
  if (!url.password && secrets.length === 0) return address;
  if (url.password) url.password = '***';
  for (const name of secrets) url.searchParams.set(name, '***');
  return url.href;
}

/** A URL for the command line of another program, which asks for the password itself. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return shellQuoted(url.href);
}

export function shellQuoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
