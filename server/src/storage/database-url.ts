import { resolve } from 'node:path';
import type { Dialect } from './database.ts';

/** The type of store in a URL: `sqlite:./data/gatehouse.db` or `postgres://user@host/name`. */
export function dialectOf(url: string): Dialect {
  if (url.startsWith('sqlite:')) return 'sqlite';
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres';
  throw new Error('A database URL must begin with sqlite: or postgres://.');
}

/** The file of an SQLite URL as an absolute path. */
export function sqlitePath(url: string): string {
  return resolve(url.slice('sqlite:'.length));
}
