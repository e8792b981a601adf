import type { Command } from 'commander';
import { WrongUsage } from '../../../app/failure.ts';
import { readSettings } from '../../../app/settings/settings.ts';
import { addCommand, type CommonOptions } from '../../shared/add-command.ts';
import { print } from '../../shared/output.ts';
import { withoutSecrets } from '../database-url.ts';
import { copyDatabase } from './copy-database.ts';
import { reopenDatabase } from './reopen.ts';
import { howToSwitch } from './switch-text.ts';
import { requireKeys } from './target-keys.ts';
import { hasPassword, readTargetUrl, requireOtherDatabase } from './target-url.ts';

interface CopyOptions extends CommonOptions {
  readonly to?: string;
  readonly reopen?: boolean;
  readonly force?: boolean;
}

export function addCopyCommand(program: Command): void {
  addCommand(
    program,
    'copy',
    'copy the database, while no service uses it, into an empty one: from SQLite to PostgreSQL, or back',
    ['copy --to postgres://gate@db.example.org/gatehouse', 'copy --to sqlite:./data/gatehouse.db'],
  )
    .option('--to <url>', 'the empty database; - reads its URL from the standard input')
    .option('--reopen', 'let services use this database again, which was closed because it was copied')
    .option(
      '--force',
      'with --reopen, although the copy is complete: while both are used, every email is sent twice',
    )
    .addHelpText(
      'after',
      '\nOther users of this machine can see a password in --to: write the URL into GATEHOUSE_COPY_TO_URL, or use --to -.',
    )
    .action(copy);
}

async function copy({ json = false, to, reopen = false, force = false }: CopyOptions): Promise<void> {
  const settings = readSettings(process.env);
  if (reopen) {
    if (to !== undefined) throw new WrongUsage('--reopen copies nothing, so it cannot be used with --to.');
    const place = await reopenDatabase(settings, force);
    return print(json, { reopened: place }, `Services can use ${place} again.`);
  }
  if (force) throw new WrongUsage('--force is for --reopen: a copy overwrites nothing.');
  const targetUrl = await readTargetUrl(to);
  requireOtherDatabase(settings, targetUrl);
  const keys = requireKeys(settings, targetUrl);
  if (!json && to !== undefined && hasPassword(to)) {
    process.stderr.write(
      'Other users of this machine can see the password in --to. See ./gatehouse copy --help.\n',
    );
  }
  const tables = await copyDatabase({ settings, targetUrl, keys, json });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  print(
    json,
    { to: withoutSecrets(targetUrl), rows, tables },
    howToSwitch({ settings, targetUrl, rows, tables: tables.length }),
  );
}
