import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ListMembers } from '@gatehouse/client';
import { csvRow, exportColumns, toExportRow, withGroups } from '@gatehouse/member-lists';
import type { Command } from 'commander';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { addFlag, givenFlags } from '../api/flags/flag-options.ts';
import { readFlag } from '../api/flags/flag-values.ts';
import { flagsOfId } from '../api/flags/flags.ts';
import { outputFile } from '../installed/named-files.ts';
import { addCommand, groupOf } from '../shared/add-command.ts';
import { type ConnectionOptions, connect } from '../shared/connection.ts';
import { counted, print } from '../shared/output.ts';
import { Progress } from '../shared/progress.ts';
import { addConnectionOptions } from '../shared/where-options.ts';
import { findTimeZone } from './site-time-zone.ts';

const newestFirst = { sort: 'createdAt', order: 'desc', limit: 100 } as const;

/** The filters of the list of members. */
const filters = flagsOfId('listMembers').filter(
  ({ property }) => !['after', 'limit', 'sort', 'order'].includes(property),
);

interface ExportOptions extends ConnectionOptions {
  readonly file?: string;
  readonly force?: boolean;
  readonly raw?: boolean;
}

export function addMemberExportCommand(program: Command): void {
  const members = groupOf(program, 'members', 'import and export the members of a site');
  const command = addCommand(members, 'export', 'write members and their groups as CSV, newest first', [
    'members export --file members.csv',
  ]);
  for (const filter of filters) addFlag(command, filter);
  addConnectionOptions(command)
    .option('--file <file>', 'the file to write (default: the standard output)', outputFile)
    .option('--force', 'overwrite the file')
    .option(
      '--raw',
      'write for programs: no apostrophe before values that a spreadsheet would run, no byte order mark',
    )
    .addHelpText(
      'after',
      '\nA value that a spreadsheet would run as a formula, such as "=1+1", is written with a leading apostrophe, which an import' +
        '\nremoves again. With --raw values are written unchanged and without a byte order mark, for programs. Import such' +
        '\na file with --raw too.' +
        '\nAn export can be imported again. Group names in one cell are separated by ";". Within a name ";" is' +
        '\nwritten "\\;" and "\\" is written "\\\\". The ends of the memberships are in groupsEndAt, in the same order:' +
        '\nthe last day in the time zone of the site, or the time of an end within a day.' +
        '\nMemory use does not grow with the number of members.' +
        '\nWith --json the summary is printed as JSON, and --file is required.',
    )
    .action((options: ExportOptions) => exportMembers(options, command));
}

async function exportMembers(options: ExportOptions, command: Command): Promise<void> {
  const { json, file, force = false, raw = false } = options;
  if (json && file === undefined)
    throw new WrongUsage('--json requires a file for the CSV. Add --file <file>.');
  if (file !== undefined && !force && existsSync(file)) {
    throw new CommandFailure(
      'file_exists',
      `${file} exists. Choose another file, or overwrite it with --force.`,
    );
  }
  const filter = await filterOf(command);
  const { gatehouse } = await connect(options);
  const timeZone = await findTimeZone(gatehouse);
  const progress = new Progress('Exported', json || (file === undefined && process.stdout.isTTY));
  let count = 0;
  const members = gatehouse.members.list({ ...filter, ...newestFirst });
  const lines = async function* () {
    // Spreadsheets read a file as UTF-8 only with a byte order mark.
    yield `${raw ? '' : '\uFEFF'}${csvRow(exportColumns)}\n`;
    for await (const member of withGroups(gatehouse, members)) {
      yield `${csvRow(toExportRow(member, timeZone), { isRaw: raw })}\n`;
      count += 1;
      progress.update(count);
    }
  };
  if (file === undefined) {
    await pipeline(Readable.from(lines()), process.stdout, { end: false });
    progress.end();
    return;
  }
  await intoFile(file, (target) => pipeline(Readable.from(lines()), target));
  progress.end();
  print(json, { file, members: count }, `Wrote ${counted(count, 'member')} to ${file}.`);
}

/** @throws {WrongUsage} */
async function filterOf(command: Command): Promise<ListMembers> {
  const filter: Record<string, unknown> = {};
  for (const [flag, given] of givenFlags(command, filters))
    filter[flag.property] = await readFlag(flag, given, async () => 'UTC');
  return filter;
}

/** Writes to a temporary file first, so that the file never exists incomplete under its name. */
async function intoFile(
  file: string,
  write: (target: NodeJS.WritableStream) => Promise<void>,
): Promise<void> {
  const temporary = `${file}.part-${process.pid}`;
  const discard = () => rmSync(temporary, { force: true });
  process.once('SIGINT', () => {
    discard();
    process.stderr.write(
      'gatehouse: Stopped. Nothing was written. Run the command again for a complete export.\n',
    );
    process.exit(1);
  });
  try {
    await write(createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }));
    renameSync(temporary, file);
  } finally {
    discard();
  }
}
