import { StoreUnavailable, UniqueViolation } from '../errors.ts';

// Extended result codes of SQLite (https://sqlite.org/rescode.html).
const uniqueCodes = new Set([1555, 2067]);
// BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL: errors that may be temporary.
const unavailablePrimaryCodes = new Set([5, 6, 8, 10, 13, 14, 15]);

/** Translates an error of `node:sqlite` into one of `errors.ts`. Unknown errors are returned unchanged. */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = Number(error.errcode);
  if (uniqueCodes.has(code)) return new UniqueViolation(constraintName(error.message), error);
  if (unavailablePrimaryCodes.has(code & 0xff)) return new StoreUnavailable(error);
  return error;
}

/**
 * `UNIQUE constraint failed: members.site_id, members.email` → `members_email`;
 * `UNIQUE constraint failed: index 'site_hosts_name'` → `site_hosts_name`.
 */
function constraintName(message: string): string {
  const [, index] = /: index '(.+)'$/.exec(message) ?? [];
  if (index !== undefined) return index;
  const columns = message.slice(message.indexOf(': ') + 2).split(', ');
  const table = columns[0]!.split('.')[0]!;
  const names = columns.map((column) => column.split('.')[1]!).filter((column) => column !== 'site_id');
  return [table, ...names].join('_');
}
