import { existsSync, lchownSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { keyFileFor } from '../../app/settings/secret-keys.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';
import { MigrationMismatch } from '../../storage/errors.ts';
import { migrationsFor, pendingMigrations } from '../../storage/migrations/migrations.ts';
import {
  copySqliteFile,
  inspectSqliteFile,
  keepToOwner,
  lockSqliteFile,
  type SqliteFileLock,
  syncToDisk,
} from '../../storage/sqlite/sqlite-file.ts';
import { findForeignSchema } from '../../storage/sqlite/sqlite-schema.ts';
import { inputFile, pathOfInput, wasOpenedByRoot } from '../installed/named-files.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { Progress } from '../shared/progress.ts';
import { shellQuoted, urlForPrograms } from './database-url.ts';

/** How many differences of a changed backup are named. */
const maxShown = 5;

interface RestoreOptions extends CommonOptions {
  readonly force?: boolean;
}

export function addRestoreCommand(program: Command): void {
  const description = 'replace the database with a backup; the old database stays beside it';
  const command = addCommand(program, 'restore <file>', description, ['restore gatehouse-2026-11-21.db']);
  command.registeredArguments[0]!.argParser(inputFile);
  command
    .option(
      '--force',
      'restore even if the current database is damaged and it cannot be checked whether a service is using it',
    )
    .action(restore);
}

async function restore(file: string, { json, force = false }: RestoreOptions): Promise<void> {
  const settings = readSettings(process.env);
  const { databaseUrl, databaseDirectUrl } = settings;
  if (dialectOf(databaseUrl) === 'postgres') {
    throw new CommandFailure(
      'use_pg_restore',
      'PostgreSQL restores its own backups. Their secrets need their GATEHOUSE_SECRET_KEY. Stop Gatehouse and run: pg_restore --clean --if-exists --no-owner ' +
        `--single-transaction --dbname=${urlForPrograms(databaseDirectUrl ?? databaseUrl)} ${shellQuoted(file)}`,
    );
  }
  const target = sqlitePath(databaseUrl);
  if (!existsSync(file) && !wasOpenedByRoot(file))
    throw new CommandFailure('file_not_found', `There is no ${file}. Check the path.`);
  if (resolve(file) === target) {
    throw new CommandFailure('same_file', 'This is the database itself. Choose the file of a backup.');
  }
  const copy = `${target}.restored-${process.pid}`;
  try {
    const earlierFile = await putBackup({ json, force, file, source: await pathOfInput(file, copy), target });
    const note = earlierFile === null ? '' : ` The old database is now ${earlierFile}.`;
    const key = keyFileFor(settings) ?? 'GATEHOUSE_SECRET_KEY';
    print(
      json,
      { file: target, earlierFile },
      `Restored ${target} from ${file}.${note} Its secrets need their key in ${key}. Start Gatehouse again.`,
    );
  } finally {
    rmSync(copy, { force: true });
  }
}

interface Restoration {
  readonly json: boolean | undefined;
  readonly force: boolean;
  /** The backup as it was named. */
  readonly file: string;
  /** Where it is read. */
  readonly source: string;
  readonly target: string;
}

/** Returns the path of the old database, or null. */
async function putBackup({ file, source, target, force, json }: Restoration): Promise<string | null> {
  requireBackup(file, source);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  // Checked before the copy, which may take a while, and again before the file is moved into place.
  lockUnlessDamaged(target, force)?.release();

  const temporary = `${target}.restoring-${process.pid}`;
  const discard = () => {
    for (const ending of ['', '-journal']) rmSync(temporary + ending, { force: true });
  };
  process.once('SIGINT', () => {
    discard();
    process.exit(1);
  });
  try {
    const progress = new Progress('Copying pages', json);
    await copySqliteFile(source, temporary, ({ donePages, totalPages }) =>
      progress.update(donePages, totalPages),
    );
    progress.end();
    copyOwnerOf(target, temporary);
    keepToOwner(target);
    const lock = lockUnlessDamaged(target, force);
    const earlierFile = putInPlace(temporary, target);
    lock?.release();
    return earlierFile;
  } finally {
    discard();
  }
}

/** @throws {CommandFailure} for a file that is not an intact backup of this or an earlier version */
function requireBackup(file: string, source: string): void {
  const { problems, migrations, schema } = inspect(file, source);
  if (problems.length > 0) {
    throw new CommandFailure('backup_damaged', `${file} is damaged: ${problems[0]}. Choose another backup.`);
  }
  if (migrations === undefined) {
    throw new CommandFailure('not_a_backup', `${file} is not a backup of Gatehouse. Choose another file.`);
  }
  pendingMigrations(migrationsFor('sqlite'), migrations);
  const foreign = findForeignSchema(schema, migrations);
  if (foreign.length === 0) return;
  const more = foreign.length > maxShown ? `; and ${foreign.length - maxShown} more` : '';
  throw new CommandFailure(
    'backup_changed',
    `${file} was changed by another program: ${foreign.slice(0, maxShown).join('; ')}${more}. Choose a backup that only Gatehouse ` +
      'has written. If you have made these changes yourself, undo them in a copy of the file, and restore the copy.',
  );
}

function inspect(file: string, source: string) {
  try {
    return inspectSqliteFile(source);
  } catch (error) {
    if (error instanceof MigrationMismatch)
      throw new CommandFailure('migration_mismatch', `${file} cannot be restored. ${error.message}`);
    if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') throw error;
    throw new CommandFailure(
      'not_a_backup',
      `${file} cannot be read as a backup: ${(error as Error).message}. Choose another file.`,
    );
  }
}

/** @throws {CommandFailure} when a program is using the database */
function lockUnlessDamaged(target: string, force: boolean): SqliteFileLock | undefined {
  if (!existsSync(target)) return undefined;
  let lock: SqliteFileLock | undefined;
  try {
    lock = lockSqliteFile(target);
  } catch (error) {
    if (force) return undefined;
    throw new CommandFailure(
      'database_damaged',
      `The current database is damaged (${(error as Error).message}), so it cannot be checked whether a service is using it. ` +
        'Stop the service and repeat this with --force.',
    );
  }
  if (lock) return lock;
  throw new CommandFailure('database_in_use', `A service is using ${target}. Stop it first, then try again.`);
}

/**
 * Moves the new file to the path of the target; the old file is kept next to it under another name. At every moment
 * there is a complete database at the path of the target.
 * @returns the name of the old file; null if there was none
 */
function putInPlace(temporary: string, target: string): string | null {
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  const earlierFile = existsSync(target) ? `${target}.before-restore-${time}` : null;
  if (earlierFile !== null) keep(target, earlierFile);
  // Leftover changes of another file after a crash: SQLite would apply them to the new file.
  for (const ending of ['-wal', '-shm', '-journal']) {
    if (existsSync(target + ending)) renameSync(target + ending, `${target}.before-restore-${time}${ending}`);
  }
  renameSync(temporary, target);
  syncToDisk(dirname(target));
  return earlierFile;
}

function keep(target: string, earlierFile: string): void {
  try {
    linkSync(target, earlierFile);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    // The file system does not support links.
    renameSync(target, earlierFile);
  }
}

/** The service may run as a different user than the restore command. A link that this user has put there is not followed. */
function copyOwnerOf(target: string, temporary: string): void {
  const { uid, gid } = statSync(existsSync(target) ? target : dirname(target));
  if (process.getuid?.() === 0) lchownSync(temporary, uid, gid);
}
