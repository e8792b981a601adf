import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Queries } from '../../../../storage/database.ts';
import { appliedMigrations } from '../../../../storage/migrations/migrations.ts';
import { filesOfDatabase } from '../../../../storage/sqlite/sqlite-file.ts';
import { findForeignSchema, selectSchema } from '../../../../storage/sqlite/sqlite-schema.ts';
import { shellQuoted } from '../../../database/database-url.ts';
import { type Check, fail, ok, warn } from '../check.ts';

const fullSynchronous = 2;
const minFreeBytes = 100e6;
const goodFreeBytes = 1e9;
const maxShown = 5;

/** Checks that apply only to SQLite. */
export async function checkSqlite(db: Queries, path: string): Promise<Check[]> {
  return [
    await checkDurability(db),
    await checkIntegrity(db),
    await checkSchema(db),
    checkDisk(path),
    checkModes(path),
  ];
}

async function checkDurability(db: Queries): Promise<Check> {
  const synchronous = await pragma(db, sql`PRAGMA synchronous`);
  const journal = await pragma(db, sql`PRAGMA journal_mode`);
  const found = `journal_mode ${journal}, synchronous ${synchronous === fullSynchronous ? 'FULL' : synchronous}`;
  if (synchronous === fullSynchronous && journal === 'wal') return ok('durability', found);
  // A restored file switches to WAL mode at the next start.
  return synchronous === fullSynchronous
    ? ok('durability', `${found}; WAL mode starts with the next start of the service`)
    : fail(
        'durability',
        `${found}: a power failure could lose acknowledged changes`,
        'Use a file system that SQLite supports.',
      );
}

async function checkIntegrity(db: Queries): Promise<Check> {
  const result = await pragma(db, sql`PRAGMA quick_check(1)`);
  return result === 'ok'
    ? ok('integrity', 'all pages of the file are intact')
    : fail(
        'integrity',
        `the file is damaged: ${result}`,
        'Stop the service and restore a backup: ./gatehouse restore.',
      );
}

/** A restore refuses a backup of a database that another program has changed. */
async function checkSchema(db: Queries): Promise<Check> {
  const foreign = findForeignSchema(await db.all(raw(selectSchema)), await appliedMigrations(db));
  return foreign.length === 0
    ? ok('tables', 'tables, indexes, triggers and views are those of the migrations')
    : fail(
        'tables',
        `another program has changed the database: ${foreign.slice(0, maxShown).join('; ')}`,
        'Undo these changes: backups with them cannot be restored. If nobody of you has made them, somebody else could ' +
          'write to the file: restore a backup from before.',
      );
}

function checkDisk(path: string): Check {
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  // Recent changes may be only in the WAL.
  const files = filesOfDatabase(path);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const wal = files.find(({ file }) => file.endsWith('-wal'))?.size ?? 0;
  const found = `${megabytes(free)} free, the database takes ${megabytes(size)} (${megabytes(wal)} of it in the WAL)`;
  if (free < minFreeBytes) return fail('disk', found, 'Free disk space: without it nothing can be written.');
  if (free < goodFreeBytes || free < size) {
    return warn('disk', found, 'Free disk space soon: a restore needs as much space as the database.');
  }
  return ok('disk', found);
}

function checkModes(path: string): Check {
  const open = filesOfDatabase(path).filter(({ mode }) => (mode & 0o077) !== 0);
  return open.length === 0
    ? ok('permissions', 'only the owner can access the files of the database')
    : warn(
        'permissions',
        `other users of this machine can access ${open.map(({ file }) => file).join(', ')}`,
        `Run: chmod 600 ${open.map(({ file }) => shellQuoted(file)).join(' ')}`,
      );
}

async function pragma(db: Queries, statement: Sql): Promise<unknown> {
  const row = await db.get<Record<string, unknown>>(statement);
  return Object.values(row ?? {})[0];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: bytes < 1e8 ? 1 : 0 })} MB`;
}
