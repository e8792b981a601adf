import { resolve } from 'node:path';
import { createMissingGroups, type MatchedGroups, splitGroupNames } from '@gatehouse/member-lists';
import { describeFailure } from '../../app/describe-failure.ts';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { type ConnectionOptions, connect } from '../shared/connection.ts';
import { counted } from '../shared/output.ts';
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

/** Imports a file of members. */
export async function importMembers(path: string, options: ImportOptions): Promise<void> {
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
