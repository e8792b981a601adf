import { resolve } from 'node:path';
import {
  createMissingGroups,
  type MatchedGroups,
  splitGroupNames,
  textEncodings,
} from '@gatehouse/member-lists';
import { type Command, Option } from 'commander';
import { CommandFailure, describeFailure, WrongUsage } from '../../app/failure.ts';
import { addAnswerOptions } from '../lists/answers.ts';
import { addCommand, gather } from '../shared/add-command.ts';
import { type ConnectionOptions, connect } from '../shared/connection.ts';
import { counted } from '../shared/output.ts';
import { addConnectionOptions } from '../shared/where-options.ts';
import { Checkpoint } from './import/checkpoint.ts';
import { ImportJob, type ImportPlan } from './import/import-job.ts';
import { ImportReport } from './import/import-report.ts';
import { noteRows, noteScopes } from './import/notes.ts';
import { matchListedGroups, requireAll } from './import/site-groups.ts';
import { type Survey, surveyList } from './import/survey.ts';
import { rowsOf } from './import/tally.ts';
import { type UnderstandingOptions, understandList } from './import/understood-list.ts';

interface ImportOptions extends ConnectionOptions, UnderstandingOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly update?: boolean;
  readonly groups?: readonly string[];
  readonly createGroups?: boolean;
  readonly failed?: string;
  readonly result?: string;
}

const explanation = `
The columns are found by their headings and by what is below them, and exports of known systems are recognized. The
report begins with how the list is read. What the list leaves open is asked before anything is changed, with the options
that answer it: exit code 2. With --yes, the rows that need an answer fail instead, and the others are imported.

The fields are email, displayName, firstName, lastName, paid, status, groups (names separated by ";"), groupsEndAt (one
last day or time for all groups, or one for each in the same order) and registeredAt (for new members, a day or time in
the past). Days are those of the time zone of the site.

A member that already exists is not changed, except for groups: missing groups are added, and the end of each membership
is set to the value in the file. Other values than those of the member are a conflict, and the row fails; with --update,
the name and paid follow the list. Empty cells are ignored. You can repeat an import at any time, and importing an export
again changes nothing. Several rows with one email address and one name are one member, with the groups of all of them.

Ctrl-C stops after the current request. The progress of the import is stored in
<people.csv>.gatehouse-progress; the same command continues from there and removes that file when it is done.`;

export function addMemberImportCommand(member: Command): void {
  const command = addCommand(member, 'import <people.csv>', 'create members from a CSV file of any size', [
    'members import people.csv --dry-run',
    'members import people.csv --groups "Course 2026" --create-groups --failed failed.csv',
    'members import people.csv --map groups=Tier --status "former=left-out" --update --result result.csv',
  ]);
  addConnectionOptions(command)
    .option('--dry-run', 'show the changes without making them')
    .option('--yes', 'import also if something is open; the rows that need an answer fail')
    .option('--update', 'change names and who is paying of members who exist to what the list says')
    .option('--groups <names>', 'also add all members to these groups, separated by ";"', gather)
    .option('--create-groups', 'create missing groups')
    .option('--failed <file>', 'write failed rows to this file, to be corrected and imported again')
    .option('--result <file>', 'write what was done with each row to this CSV file')
    .option(
      '--map <field=heading>',
      'the heading of a column: "email=E-mail,displayName=Name"; several for groups; "paid=" for none',
      gather,
    );
  addAnswerOptions(command)
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
  const { dryRun = false, json = false, update: updates = false } = options;
  requireTwoFiles(options);
  const connection = await connect(options);
  const stop = stopOnInterrupt(json);
  const report = new ImportReport(options);
  const checkpoint = new Checkpoint(path);
  const { gatehouse } = connection;
  const { list, siteGroups } = await understandList(path, options, gatehouse, checkpoint, report);
  const groupsOfAll = (options.groups ?? []).flatMap((names) => splitGroupNames(names, ';', list.groupNames));
  const survey = await surveyList(list, groupsOfAll, options.paidValue);
  noteRows(survey, report);
  const found = await matchListedGroups(gatehouse, survey.groupNames, siteGroups);
  noteScopes(found, report);
  if (!options.createGroups) requireAll(found);
  stop.throwIfAborted();
  const ids = dryRun ? withPlaceholders(found) : await createMissingGroups(gatehouse, found);
  const plan: ImportPlan = {
    list,
    survey,
    connection,
    groups: { ids, forAll: groupsOfAll.flatMap((name) => ids.get(name) ?? []) },
    groupsOfAll,
    createdGroups: found.missing,
    updates,
    dryRun,
    quiet: json,
    failedPath: options.failed,
    resultPath: options.result,
  };
  await runJob(new ImportJob(plan, report, checkpoint, stop), plan, report);
}

function requireTwoFiles({ failed, result }: ImportOptions): void {
  if (failed === undefined || result === undefined || resolve(failed) !== resolve(result)) return;
  throw new WrongUsage('--failed and --result name the same file. Choose another one for one of them.');
}

async function runJob(job: ImportJob, { survey, dryRun }: ImportPlan, report: ImportReport): Promise<void> {
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
