/** The key of secrets in tests. */
export const secretKey = Buffer.alloc(32, 'tests').toString('base64url');

/** The setting without which the service does not start on PostgreSQL. On SQLite it makes its own key. */
export function secretKeyFor(databaseUrl: string): Record<string, string> {
  return databaseUrl.startsWith('postgres') ? { GATEHOUSE_SECRET_KEY: secretKey } : {};
}
