import {
  createMissingGroups,
  type MatchedGroups,
  splitGroupNames,
  type TextEncoding,
  textEncodings,
  unusedHeadings,
} from '@gatehouse/member-lists';
import { type Command, Option } from 'commander';
import { addCommand, gather } from './add-command.ts';
import { parseMapping, readingBy } from './column-mapping.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from './connection.ts';
import { CommandFailure, describeFailure } from './failure.ts';
import { ImportJob } from './import/import-job.ts';
import { ImportReport } from './import/import-report.ts';
import { findGroups, requireAll } from './import/site-groups.ts';
import { type Survey, surveyList } from './import/survey.ts';
import { rowsOf } from './import/tally.ts';
import { type ListFile, openListFile } from './list-file.ts';
import { counted } from './output.ts';
import { daysAreInUtc, findTimeZone } from './site-time-zone.ts';

interface ImportOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly groups?: readonly string[];
  readonly createGroups?: boolean;
  readonly failed?: string;
  readonly map?: readonly string[];
  readonly raw?: boolean;
  readonly encoding?: TextEncoding;
}

const encodingNames: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252, which Excel writes on Windows',
  macintosh: 'Mac Roman, which Excel writes on a Mac',
  shift_jis: 'Shift_JIS, which Excel writes in Japanese',
};

const explanation = `
The columns are email, displayName, lastName, paid (true, false, yes, no, 1, 0), status (active, blocked), groups
(names separated by ";"), groupsEndAt (one last day or time for all groups, or one for each in the same order) and
registeredAt (for new members, a day or time in the past). Days are those of the time zone of the site. Other common
headings, and "," ";" "|" or tab as separators, are recognized.

A member that already exists is not changed, except for groups: missing groups are added, and the end of each membership
is set to the value in the file. If the other cells equal the member's data, the row counts as unchanged; otherwise it is a conflict and fails.
Empty cells are ignored. You can repeat an import at any time, and importing an export again changes nothing.
Several rows with one email address and one name are one member, with the groups of all of them.

Ctrl-C stops after the current request. The progress of the import is stored in
<people.csv>.gatehouse-progress; the same command continues from there and removes that file when it is done.`;

export function addMemberImportCommand(member: Command): void {
  const command = addCommand(member, 'import <people.csv>', 'create members from a CSV file of any size', [
    'member import people.csv --dry-run',
    'member import people.csv --groups "Course 2026" --create-groups --failed failed.csv',
  ]);
  addConnectionOptions(command)
    .option('--dry-run', 'show the changes without making them')
    .option('--groups <names>', 'also add all members to these groups, separated by ";"', gather)
    .option('--create-groups', 'create missing groups')
    .option('--failed <file>', 'write failed rows to this file, to be corrected and imported again')
    .option('--map <field=heading>', 'the heading of a column: "email=E-mail,displayName=Name"', gather)
    .addOption(
      new Option('--encoding <name>', 'the encoding of the file, if it is not recognized').choices([
        ...textEncodings,
      ]),
    )
    .option('--raw', 'use every cell unchanged, for a file exported with --raw')
    .addHelpText('after', explanation)
    .action(importMembers);
}

async function importMembers(path: string, options: ImportOptions): Promise<void> {
  const { dryRun = false, json = false } = options;
  const connection = await connect(options);
  const stop = stopOnInterrupt(json);
  const timeZone = await findTimeZone(connection.gatehouse);
  const mapping = parseMapping(options.map ?? []);
  const file = await openListFile(path, { isRaw: options.raw === true, encoding: options.encoding });
  const list = { ...file, reading: readingBy(file.survey, mapping, timeZone) };
  const groupsOfAll = (options.groups ?? []).flatMap((names) => splitGroupNames(names));
  const survey = await surveyList(list, groupsOfAll);

  const report = new ImportReport(options, file.encoding);
  warnAboutFile(list, survey, report);
  if (timeZone === undefined && hasTimes(list)) report.warn(daysAreInUtc);
  const found = await findGroups(connection.gatehouse, survey.groupNames);
  warnAboutScopes(found, report);
  if (!options.createGroups) requireAll(found);
  stop.throwIfAborted();
  report.createdGroups(found.missing);
  const ids = dryRun ? withPlaceholders(found) : await createMissingGroups(connection.gatehouse, found);
  const groups = { ids, forAll: groupsOfAll.flatMap((name) => ids.get(name) ?? []) };

  const plan = { list, survey, connection, groups, groupsOfAll, dryRun, quiet: json };
  const job = new ImportJob({ ...plan, failedPath: options.failed }, report, stop);
  if (job.rowsDoneBefore > 0) {
    report.warn(
      `Continuing after the first ${counted(job.rowsDoneBefore, 'row')}, which an earlier run has processed.`,
    );
  }
  await job.run().catch((error) => {
    throw explainEnd(error, report, survey, dryRun);
  });
  report.print();
  if (report.failures > 0) process.exitCode = 1;
}

/** A group that is not created yet is represented by its name. */
function withPlaceholders({ ids, missing }: MatchedGroups): ReadonlyMap<string, string> {
  return new Map([...ids, ...missing.map((name) => [name, name] as const)]);
}

function warnAboutFile(
  { headings, reading, encoding }: ListFile,
  { escapedRows, endedRows }: Survey,
  report: ImportReport,
): void {
  if (encoding !== 'utf-8') {
    report.warn(
      `The file is read as ${encodingNames[encoding]}. If letters are wrong, choose another encoding with --encoding.`,
    );
  }
  const unknown = unusedHeadings(headings, reading);
  if (unknown.length > 0) {
    report.warn(
      `Ignoring ${counted(unknown.length, 'column')} that members do not have: ${unknown.join(', ')}.`,
    );
  }
  if (escapedRows > 0) {
    report.warn(
      `In ${counted(escapedRows, 'row')} a value begins with an apostrophe before a sign such as "=", which keeps ` +
        'spreadsheets from running it. The apostrophe is removed; to keep it, import with --raw.',
    );
  }
  if (endedRows > 0) {
    report.warn(`In ${counted(endedRows, 'row')} a membership has already ended. It is not created.`);
  }
}

function hasTimes({ reading: { columns } }: ListFile): boolean {
  return columns.groupsEndAt !== null || columns.registeredAt !== null;
}

function warnAboutScopes({ scopes }: MatchedGroups, report: ImportReport): void {
  if (scopes.length === 0) return;
  report.warn(
    `No members are added to ${scopes.join(', ')}: the members of a scope group come from its source.`,
  );
}

/** Aborts at the first Ctrl-C, so that the current request can finish; the second one ends the program immediately. */
function stopOnInterrupt(quiet: boolean): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    controller.abort(new CommandFailure('interrupted', 'Stopped.'));
    if (!quiet)
      process.stderr.write('Stopping after the current request. Press Ctrl-C again to stop immediately.\n');
    process.once('SIGINT', () => process.exit(1));
  });
  return controller.signal;
}

/** Adds to an error how to continue the import. */
function explainEnd(error: unknown, report: ImportReport, survey: Survey, dryRun: boolean): CommandFailure {
  const { code, message } = describeFailure(error);
  const done = `${rowsOf(report.tally).toLocaleString('en')} of ${counted(survey.rows, 'row')}`;
  const advice = dryRun
    ? 'Nothing was changed.'
    : `${done} are done. Run the same command again to continue; no row is applied twice.`;
  return new CommandFailure(code, `${message} ${advice}`);
}
