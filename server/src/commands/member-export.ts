import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { stringify } from 'csv-stringify';
import { addCommand } from './command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from './connection.ts';
import { exportColumns, toExportRow } from './export/export-row.ts';
import { type ExportedMember, membersWithGroups } from './export/members-with-groups.ts';
import { CommandFailure, WrongUsage } from './failure.ts';
import { addFilterOptions, type FilterOptions, toFilter } from './member-filter.ts';
import { counted, print } from './output.ts';
import { Progress } from './progress.ts';

interface ExportOptions extends ConnectionOptions, FilterOptions {
  readonly file?: string;
  readonly force?: boolean;
  readonly raw?: boolean;
}

export function addMemberExportCommand(member: Command): void {
  const command = addCommand(member, 'export', 'write members and their groups as CSV, newest first', [
    'member export --file members.csv',
  ]);
  addFilterOptions(addConnectionOptions(command))
    .option('--file <file>', 'where to (default: the standard output)')
    .option('--force', 'overwrite the file')
    .option('--raw', 'put no apostrophe before what a spreadsheet would run as a formula')
    .addHelpText(
      'after',
      '\nA value that a spreadsheet would run as a formula, such as "=1+1", gets an apostrophe before it, which an import' +
        '\nremoves again. With --raw values stay as they are, for programs; import such a file with --raw too.' +
        '\nAn export can be imported again. Names of groups in one cell are separated by ";"; within a name ";" is' +
        '\nwritten "\\;" and "\\" is written "\\\\". Memory does not grow with the number of members.' +
        '\nWith --json the summary is printed as JSON; it needs --file.',
    )
    .action(exportMembers);
}

async function exportMembers(options: ExportOptions): Promise<void> {
  const { json, file, force = false, raw = false } = options;
  if (json && file === undefined) throw new WrongUsage('With --json, say where the CSV goes: --file <file>.');
  if (file !== undefined && !force && existsSync(file)) {
    throw new CommandFailure(
      'file_exists',
      `${file} exists. Name another file, or overwrite it with --force.`,
    );
  }
  const { gatehouse } = await connect(options);
  const progress = new Progress('Exported', json || (file === undefined && process.stdout.isTTY));
  let count = 0;
  const rows = async function* (members: AsyncIterable<ExportedMember>) {
    for await (const member of members) {
      yield toExportRow(member, raw);
      count += 1;
      progress.update(count);
    }
  };
  const source = Readable.from(rows(membersWithGroups(gatehouse, toFilter(options))));
  const csv = stringify({ header: true, columns: [...exportColumns] });
  if (file === undefined) {
    await pipeline(source, csv, process.stdout, { end: false });
    progress.end();
    return;
  }
  await intoFile(file, (target) => pipeline(source, csv, target));
  progress.end();
  print(json, { file, members: count }, `Wrote ${counted(count, 'member')} to ${file}.`);
}

/** Under its name there is never half a file. */
async function intoFile(
  file: string,
  write: (target: NodeJS.WritableStream) => Promise<void>,
): Promise<void> {
  const temporary = `${file}.part-${process.pid}`;
  const discard = () => rmSync(temporary, { force: true });
  process.once('SIGINT', () => {
    discard();
    process.stderr.write(
      'gatehouse: Stopped. Nothing was written; run the command again for a whole export.\n',
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
