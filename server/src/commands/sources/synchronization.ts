import type { Source, SourceRun, SyncSource } from '@gatehouse/contract';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import type { Addition, Calls } from '../api/addition.ts';
import type { SiteApi } from '../api/calls/site-api.ts';
import { argument } from '../shared/output.ts';
import { Progress } from '../shared/progress.ts';
import { findSource } from './named-source.ts';
import { describeRun } from './run-text.ts';

export const runText: NonNullable<Addition['text']> = async (run: SourceRun, { api }) =>
  run.endedAt === null ? undefined : describeRun(run, await findSource(api, run.sourceId));

export const runDetails: Addition = { text: runText };

export const synchronization: Addition = {
  addOptions: (command) =>
    void addWaitOption(command).addHelpText(
      'after',
      '\nWith --wait, the exit code is 1 if the synchronization failed, or if people stay in their groups until it is' +
        '\nrepeated with --confirm-removals. This confirms what the last synchronization has shown: if other people would' +
        '\nbe removed meanwhile, everybody stays again. Ctrl-C ends only the waiting: a service continues. Without one, the' +
        '\ncommand itself synchronizes, and has to be repeated.',
    ),
  before: async ({ api, params, options }) => {
    if (options.wait) requireChoice(await findSource(api, params.sourceId!));
  },
  fieldsOf: async ({ api, params }, { confirmRemovals, confirmedRunId }: SyncSource) => {
    if (!confirmRemovals || confirmedRunId !== undefined) return {};
    const shown = await findShownRun(api, params);
    return shown ? { confirmedRunId: shown.id } : {};
  },
  after: async (run: SourceRun, call) => (call.options.wait ? waitForEnd(run, call) : run),
  text: runText,
};

export function addWaitOption(command: Command): Command {
  return command.option('--wait', 'wait until it is done, and print what it has done');
}

/** The last run, if it has shown what would be removed. The confirmation holds for that, and not for more. */
async function findShownRun(api: SiteApi, params: Calls['params']): Promise<SourceRun | undefined> {
  const { data } = (await api.send('listSourceRuns', { params, query: { limit: recentRuns } })) as {
    data: readonly SourceRun[];
  };
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
    `No collection of "${name}" is chosen yet. Choose one: ./gatehouse sources collections choose ${argument(name)}`,
  );
}

/**
 * Waits for a run, and sets the exit code if it has not succeeded. A run in the service does not end at Ctrl-C.
 * @throws {CommandFailure} `interrupted`
 */
export async function waitForEnd(run: SourceRun, { api, options, interrupted }: Calls): Promise<SourceRun> {
  const progress = new Progress('Read', options.json);
  const onProgress = ({ counts }: SourceRun) => progress.update(counts.read);
  try {
    const ended = await api.waitForRun(run, onProgress, interrupted!);
    if (ended.status !== 'succeeded') process.exitCode = 1;
    return ended;
  } catch (error) {
    if (!interrupted!.aborted) throw error;
    const message = `Stopped waiting. ${api.unfinishedRun} See ./gatehouse sources runs list ${run.sourceId}.`;
    throw new CommandFailure('interrupted', message);
  } finally {
    progress.end();
  }
}
