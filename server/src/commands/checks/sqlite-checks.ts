import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import sql, { type Sql } from 'sql-template-tag';
import type { Queries } from '../../storage/database.ts';
import { filesOfDatabase } from '../../storage/sqlite-file.ts';
import { shellQuoted } from '../database-url.ts';
import { type Check, fail, ok, warn } from './check.ts';

const fullSynchronous = 2;
const leastFreeBytes = 100e6;
const goodFreeBytes = 1e9;

/** What only an SQLite file can have wrong. */
export async function checkSqlite(db: Queries, path: string): Promise<Check[]> {
  return [await checkDurability(db), await checkIntegrity(db), checkDisk(path), checkModes(path)];
}

async function checkDurability(db: Queries): Promise<Check> {
  const synchronous = await pragma(db, sql`PRAGMA synchronous`);
  const journal = await pragma(db, sql`PRAGMA journal_mode`);
  const found = `journal_mode ${journal}, synchronous ${synchronous === fullSynchronous ? 'FULL' : synchronous}`;
  if (synchronous === fullSynchronous && journal === 'wal') return ok('durability', found);
  // A restored file is put into WAL mode at the next start.
  return synchronous === fullSynchronous
    ? ok('durability', `${found}; WAL mode comes at the next start`)
    : fail(
        'durability',
        `${found}: a power cut could lose what was answered`,
        'Use a file system that SQLite can rely on.',
      );
}

async function checkIntegrity(db: Queries): Promise<Check> {
  const result = await pragma(db, sql`PRAGMA quick_check(1)`);
  return result === 'ok'
    ? ok('integrity', 'every page of the file is sound')
    : fail(
        'integrity',
        `the file is damaged: ${result}`,
        'Stop the service and restore a backup: ./gatehouse restore.',
      );
}

function checkDisk(path: string): Check {
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  // What was written last may be in its WAL alone.
  const files = filesOfDatabase(path);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const wal = files.find(({ file }) => file.endsWith('-wal'))?.size ?? 0;
  const found = `${megabytes(free)} free, the database has ${megabytes(size)} (${megabytes(wal)} of it in the WAL)`;
  if (free < leastFreeBytes) return fail('disk', found, 'Make room: without it nothing can be written.');
  if (free < goodFreeBytes || free < size) {
    return warn('disk', found, 'Make room soon: a restore needs as much as the database has.');
  }
  return ok('disk', found);
}

function checkModes(path: string): Check {
  const open = filesOfDatabase(path).filter(({ mode }) => (mode & 0o077) !== 0);
  return open.length === 0
    ? ok('permissions', 'the files of the database are for their owner alone')
    : warn(
        'permissions',
        `other users of this machine may use ${open.map(({ file }) => file).join(', ')}`,
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
