import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Database, DatabaseOptions, Dialect } from './database.ts';
import { migrationsFor } from './migrations.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** The store that a URL names: `sqlite:./data/gatehouse.db` or `postgres://user@host/name`. */
export function dialectOf(url: string): Dialect {
  if (url.startsWith('sqlite:')) return 'sqlite';
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres';
  throw new Error('A database URL begins with sqlite: or postgres://.');
}

/** The file of an SQLite URL, as an absolute path. */
export function sqlitePath(url: string): string {
  return resolve(url.slice('sqlite:'.length));
}

export function openDatabase(url: string, options: DatabaseOptions & PostgresOptions = {}): Database {
  if (dialectOf(url) === 'postgres') return openPostgres(url, options);
  const path = sqlitePath(url);
  if (!options.readOnly) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSqlite(path, options);
}

/** Brings the tables up to date, under a lock. Gives the names of the migrations it applied. */
export function migrate(database: Database): Promise<readonly string[]> {
  return database.migrate(migrationsFor(database.dialect));
}
