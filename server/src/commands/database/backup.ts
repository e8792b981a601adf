import { existsSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { givenOptions } from '../../app/settings/given-settings.ts';
import { nameSecretKey } from '../../app/settings/secret-keys.ts';
import { readSettings, type Settings } from '../../app/settings/settings.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';
import { discardUnfinishedCopy, writeBackup } from '../../storage/sqlite/sqlite-backup.ts';
import { refuseEmptyFile } from '../../storage/sqlite/sqlite-file.ts';
import { outputFile } from '../installed/named-files.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { Progress } from '../shared/progress.ts';
import { shellQuoted, urlForPrograms } from './database-url.ts';
import { runScheduledBackups } from './scheduled-backups.ts';

interface BackupOptions extends CommonOptions {
  readonly force?: boolean;
  readonly schedule?: string;
  readonly keep?: string;
}

export function addBackupCommand(program: Command): void {
  const examples = [
    'backup gatehouse-2026-11-21.db',
    'backup --schedule 03:00 --keep 14 /var/backups/gatehouse',
  ];
  const description = 'copy the database to a file, even while the service runs';
  const command = addCommand(program, 'backup <target>', description, examples);
  command.registeredArguments[0]!.argParser(outputFile);
  command
    .option('--force', 'overwrite the file')
    .option(
      '--schedule <when>',
      'copy it into a folder until stopped: every day at a time in UTC such as 03:00, or at an interval such as 6h',
    )
    .option('--keep <number>', 'how many scheduled backups to keep, or for how many days, such as 30d')
    .action(backUp);
}

async function backUp(target: string, options: BackupOptions): Promise<void> {
  const { json = false, force = false, schedule, keep } = options;
  if (schedule === undefined && keep !== undefined) {
    throw new WrongUsage('--keep is for backups with --schedule.');
  }
  if (schedule !== undefined && force) {
    throw new WrongUsage('--force is for a single backup: scheduled ones overwrite nothing.');
  }
  const given = givenOptions({
    GATEHOUSE_BACKUP_SCHEDULE: ['--schedule', schedule],
    GATEHOUSE_BACKUP_KEEP: ['--keep', keep],
  });
  const settings = readSettings(process.env, undefined, given);
  const { databaseUrl, databaseDirectUrl } = settings;
  if (dialectOf(databaseUrl) === 'postgres') {
    throw new CommandFailure(
      'use_pg_dump',
      'PostgreSQL makes its own backups. Keep GATEHOUSE_SECRET_KEY too, apart from them: without it, the secrets in a ' +
        'backup cannot be read. Run: ' +
        `pg_dump --format=custom --file=${shellQuoted(target)} ${urlForPrograms(databaseDirectUrl ?? databaseUrl)}`,
    );
  }
  if (schedule === undefined) await backUpOnce(target, settings, { json, force });
  else await runScheduledBackups({ ...settings, backupFolder: resolve(target) }, json);
}

async function backUpOnce(
  file: string,
  settings: Settings,
  { json, force = false }: BackupOptions,
): Promise<void> {
  const source = sqlitePath(settings.databaseUrl);
  const target = resolve(file);
  requireUsableTarget(source, target, force);
  process.once('SIGINT', () => {
    discardUnfinishedCopy(target);
    process.exit(1);
  });
  const progress = new Progress('Copying pages', json);
  const publish = (copy: string) => {
    progress.end();
    requireUsableTarget(source, target, force);
    renameSync(copy, target);
  };
  await writeBackup(source, target, publish, ({ donePages, totalPages }) =>
    progress.update(donePages, totalPages),
  );
  const { size } = statSync(target);
  const key = nameSecretKey(settings);
  const note = key && ` The key of its secrets is not in it: keep ${key} too, apart from the backup.`;
  print(
    json,
    { file: target, bytes: size, secretKey: key ?? null },
    `Wrote ${file} (${(size / 1e6).toFixed(1)} MB, checked).${note ?? ''}`,
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
