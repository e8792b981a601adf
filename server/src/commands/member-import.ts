import type { Command } from 'commander';
import { addCommand, gather } from './command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from './connection.ts';
import { CommandFailure, describeFailure } from './failure.ts';
import { createGroups, findGroups, type NamedGroups, refuseMissing } from './import/group-names.ts';
import { ImportJob } from './import/import-job.ts';
import { ImportReport } from './import/import-report.ts';
import { rowsOf } from './import/outcome.ts';
import { type Survey, surveyPeople } from './import/survey.ts';
import { counted } from './output.ts';
import { splitGroupNames } from './people-file/cells.ts';
import { parseMapping } from './people-file/columns.ts';
import { fingerprintOf, openPeopleFile, type PeopleFile } from './people-file/people-file.ts';

interface ImportOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly groups?: readonly string[];
  readonly createGroups?: boolean;
  readonly failed?: string;
  readonly map?: readonly string[];
  readonly raw?: boolean;
}

const explanation = `
The columns are email, displayName, paid (true, false, yes, no, 1, 0), status (active, blocked) and groups
(names separated by ";"). Other common headings, and "," ";" or tab between the cells, are recognised.

A member that exists already is never changed, but is added to the groups it lacks. If its row says nothing
else than it has, the row counts as unchanged; otherwise it is in conflict and fails. An empty cell says
nothing. So an import may be repeated at any time, and an export that is imported again changes nothing.
Of rows with the same address the first in the file counts.

Ctrl-C stops after the running request. How far the import has come is kept in
<people.csv>.gatehouse-progress; the same command goes on from there and removes that file at its end.`;

export function addMemberImportCommand(member: Command): void {
  const command = addCommand(member, 'import <people.csv>', 'create members from a CSV file of any size', [
    'member import people.csv --dry-run',
    'member import people.csv --groups "Course 2026" --create-groups --failed failed.csv',
  ]);
  addConnectionOptions(command)
    .option('--dry-run', 'say what would happen and change nothing')
    .option('--groups <names>', 'add everybody to these groups too, separated by ";"', gather)
    .option('--create-groups', 'create the groups that are missing')
    .option('--failed <file>', 'write the rows that failed there, to be mended and imported again')
    .option('--map <field=heading>', 'the heading of a column: "email=E-mail,displayName=Name"', gather)
    .option('--raw', 'take every cell as it stands: the file was exported with --raw')
    .addHelpText('after', explanation)
    .action(importMembers);
}

async function importMembers(path: string, options: ImportOptions): Promise<void> {
  const { dryRun = false, json = false } = options;
  const connection = await connect(options);
  const stop = stopOnInterrupt(json);
  const people = await openPeopleFile(path, parseMapping(options.map ?? []), options.raw);
  const contentHash = await fingerprintOf(path);
  const groupsOfAll = (options.groups ?? []).flatMap(splitGroupNames);
  const survey = await surveyPeople(people, groupsOfAll);

  const report = new ImportReport(options);
  warnOfFile(people, survey, report);
  const found = await findGroups(connection.gatehouse, survey.groupNames);
  warnOfScopes(found, report);
  if (!options.createGroups) refuseMissing(found);
  stop.throwIfAborted();
  report.createdGroups(found.missing);
  const groups = dryRun ? found : await createGroups(connection.gatehouse, found);

  const plan = { people, contentHash, survey, connection, groups, groupsOfAll, dryRun, quiet: json };
  const job = new ImportJob({ ...plan, failedPath: options.failed }, report, stop);
  if (job.rowsDoneBefore > 0) {
    report.warn(
      `Going on after the first ${counted(job.rowsDoneBefore, 'row')}, which an earlier run has done.`,
    );
  }
  await job.run().catch((error) => {
    throw explainEnd(error, report, survey, dryRun);
  });
  report.print();
  if (report.failures > 0) process.exitCode = 1;
}

function warnOfFile({ columns }: PeopleFile, { neutralisedRows }: Survey, report: ImportReport): void {
  if (columns.unknown.length > 0) {
    report.warn(
      `Ignoring ${counted(columns.unknown.length, 'column')} that members do not have: ${columns.unknown.join(', ')}.`,
    );
  }
  if (neutralisedRows > 0) {
    report.warn(
      `In ${counted(neutralisedRows, 'row')} a value begins with an apostrophe before a sign such as "=", which keeps ` +
        'spreadsheets from running it. The apostrophe is removed; to keep it, import with --raw.',
    );
  }
}

function warnOfScopes({ scopes }: NamedGroups, report: ImportReport): void {
  if (scopes.size === 0) return;
  report.warn(`Nobody is added to ${[...scopes].join(', ')}: a scope group has its members from its source.`);
}

/** Aborts at the first Ctrl-C, so that what is running can end; at the second the program ends at once. */
function stopOnInterrupt(quiet: boolean): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    controller.abort(new CommandFailure('interrupted', 'Stopped.'));
    if (!quiet) process.stderr.write('Stopping after the running request; Ctrl-C again ends at once.\n');
    process.once('SIGINT', () => process.exit(1));
  });
  return controller.signal;
}

/** Says of whatever ended an import how to go on. */
function explainEnd(error: unknown, report: ImportReport, survey: Survey, dryRun: boolean): CommandFailure {
  const { code, message } = describeFailure(error);
  const done = `${rowsOf(report.tally).toLocaleString('en')} of ${counted(survey.rows, 'row')}`;
  const advice = dryRun
    ? 'Nothing was changed.'
    : `${done} are done. Run the same command again to go on; nothing is done twice.`;
  return new CommandFailure(code, `${message} ${advice}`);
}
