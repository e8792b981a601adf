import type { Gatehouse, Source, SourceRun } from '@gatehouse/client';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { argument, print } from '../shared/output.ts';
import { Progress } from '../shared/progress.ts';
import { findSource } from './named-source.ts';
import { describeRun } from './run-text.ts';

const pollMilliseconds = 200;

interface SyncOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly confirm?: boolean;
}

export function addSyncCommand(source: Command): void {
  addConnectionOptions(
    addCommand(source, 'sync <source>', 'synchronize a source now, and wait until it is done', [
      'source sync Team --dry-run',
      'source sync Team --confirm',
    ]),
  )
    .option('--dry-run', 'show the changes without making them')
    .option('--confirm', 'allow the removal of many people, and of the groups of missing collections')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if the synchronization failed, or if people stay in their groups until it is repeated with' +
        '\n--confirm. This confirms what the last synchronization has shown: if other people would be removed meanwhile,' +
        '\neverybody stays again. Ctrl-C ends only the waiting.',
    )
    .action(sync);
}

async function sync(named: string, options: SyncOptions): Promise<void> {
  const { json, dryRun = false, confirm = false } = options;
  const { gatehouse } = await connect(options);
  const source = await findSource(gatehouse, named);
  requireChoice(source);
  const stop = stopOnInterrupt(source);
  const confirmed = confirm ? await findShownRun(gatehouse, source) : undefined;
  const requested = await gatehouse.sources.sync(source.id, {
    dryRun,
    confirmRemovals: confirm,
    ...(confirmed && { confirmedRunId: confirmed.id }),
  });
  const run = await waitForEnd(gatehouse, requested, stop, json);
  print(json, run, describeRun(run, source));
  if (run.status !== 'succeeded') process.exitCode = 1;
}

/** The last run, if it has shown what would be removed. The confirmation holds for that, and not for more. */
async function findShownRun({ sources }: Gatehouse, { id }: Source): Promise<SourceRun | undefined> {
  const { data } = await sources.runs.list(id, { limit: recentRuns }).page();
  const last = data.find(({ endedAt }) => endedAt !== null);
  return last && (last.counts.withheld > 0 || last.groupsToDelete.length > 0) ? last : undefined;
}

/** One is waiting, and one may be under way. */
const recentRuns = 10;

/** A synchronization without collections would succeed without doing anything. */
function requireChoice({ type, name, collections }: Source): void {
  if (type === 'program' || collections.length > 0) return;
  throw new CommandFailure(
    'nothing_chosen',
    `No collection of "${name}" is chosen yet. Choose one: ./gatehouse source choose ${argument(name)}`,
  );
}

/** Aborts at Ctrl-C. The run does not end then, because it is in the service. */
function stopOnInterrupt({ name }: Source): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    const message =
      'Stopped waiting. The synchronization continues in the service: see ./gatehouse source runs';
    controller.abort(new CommandFailure('interrupted', `${message} ${argument(name)}.`));
  });
  return controller.signal;
}

async function waitForEnd(
  { sources }: Gatehouse,
  run: SourceRun,
  signal: AbortSignal,
  quiet = false,
): Promise<SourceRun> {
  const progress = new Progress('Read', quiet);
  const onProgress = ({ counts }: SourceRun) => progress.update(counts.read);
  try {
    return await sources.runs.wait(run.sourceId, run.id, { pollMilliseconds, onProgress, signal });
  } finally {
    progress.end();
  }
}
