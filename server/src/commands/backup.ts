import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import {
  copySqliteFile,
  inspectSqliteFile,
  refuseEmptyFile,
  syncToDisk,
} from '../storage/sqlite/sqlite-file.ts';
import { addCommand, type CommonOptions } from './add-command.ts';
import { shellQuoted, urlForPrograms } from './database-url.ts';
import { CommandFailure } from './failure.ts';
import { print } from './output.ts';
import { Progress } from './progress.ts';
import { nameSecretKey } from './secret-keys.ts';
import { readSettings } from './settings.ts';

interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
}

export function addBackupCommand(program: Command): void {
  addCommand(program, 'backup <file>', 'copy the database to a file, even while the service runs', [
    'backup gatehouse-2026-11-21.db',
  ])
    .option('--force', 'overwrite the file')
    .action(backUp);
}

async function backUp(file: string, { json, force = false }: BackupOptions): Promise<void> {
  const settings = readSettings(process.env);
  const { databaseUrl, databaseDirectUrl } = settings;
  if (dialectOf(databaseUrl) === 'postgres') {
    throw new CommandFailure(
      'use_pg_dump',
      'PostgreSQL makes its own backups. Keep GATEHOUSE_SECRET_KEY too, apart from them: without it, the secrets in a ' +
        'backup cannot be read. Run: ' +
        `pg_dump --format=custom --file=${shellQuoted(file)} ${urlForPrograms(databaseDirectUrl ?? databaseUrl)}`,
    );
  }
  const source = sqlitePath(databaseUrl);
  const target = resolve(file);
  requireUsableTarget(source, target, force);

  const temporary = `${target}.part-${process.pid}`;
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
    requireSound(temporary, 'The copy');
    requireUsableTarget(source, target, force);
    renameSync(temporary, target);
    syncToDisk(dirname(target));
  } finally {
    discard();
  }
  const { size } = statSync(target);
  const key = nameSecretKey(settings);
  const note = key && ` The key of its secrets is not in it: keep ${key} too, apart from the backup.`;
  print(
    json,
    { file: target, bytes: size, secretKey: key ?? null },
    `Wrote ${file} (${(size / 1e6).toFixed(1)} MB, checked).${note ?? ''}`,
  );
}

/** @throws {CommandFailure} when a database file is damaged */
function requireSound(path: string, name: string): void {
  const [problem] = inspectSqliteFile(path).problems;
  if (problem === undefined) return;
  throw new CommandFailure(
    'database_damaged',
    `${name} is damaged: ${problem}. Restore an earlier backup with ./gatehouse restore.`,
  );
}

function requireUsableTarget(source: string, target: string, force: boolean): void {
  if (!existsSync(source)) {
    throw new CommandFailure(
      'database_missing',
      `There is no database at ${source}. Check GATEHOUSE_DATABASE_URL and the current folder.`,
    );
  }
  refuseEmptyFile(source);
  if (!existsSync(dirname(target))) {
    throw new CommandFailure('folder_not_found', `There is no folder ${dirname(target)}. Create it first.`);
  }
  if (!existsSync(target)) return;
  if (realpathSync(target) === realpathSync(source)) {
    throw new CommandFailure('file_exists', 'This is the database itself. Choose another file.');
  }
  if (statSync(target).isDirectory()) {
    throw new CommandFailure('not_a_file', `${target} is a folder. Choose a file in it.`);
  }
  if (!force) {
    throw new CommandFailure(
      'file_exists',
      `${target} exists. Choose another file, or overwrite it with --force.`,
    );
  }
}
