import { doublingPauses, pauseAfter, type RetrySchedule } from '@gatehouse/contract/backoff';
import type { Timestamp } from '../../../base/clock.ts';
import { timestampAfter } from '../../../base/clock.ts';
import type { Transaction } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import type { Change } from '../../events/change.ts';
import type { StoredSource } from '../source/source.ts';
import type { StoredRun } from './run.ts';
import type { RunOutcome } from './run-outcome.ts';
import { deleteWaitingRuns, selectOpenRuns } from './run-store.ts';
import { addRun, requestRun } from './runs.ts';

// When a source is synchronized next: after a run, after a change of its settings, and after a change in its workspace.

/** How the next run of a source is planned. */
interface NextRun {
  readonly dueAt: Timestamp;
  /** The number of consecutive failed runs before it. */
  readonly failures: number;
  /** Whether the workspace could not be read. Nothing that it reports lets it be read again before that time. */
  readonly isRetry: boolean;
}

const firstRetryMilliseconds = 60_000;
const maxRetryMilliseconds = 6 * 60 * 60_000;
const spread = [0.9, 1.1] as const;

/**
 * When a source is synchronized again after a run. Only a workspace that could not be read is read less often: a
 * collection that cannot be read does not delay the others.
 * @param random at least 0 and less than 1
 */
export function nextRunAfter(
  { failures: before }: StoredRun,
  { intervalMinutes }: StoredSource,
  { failure, error, retryAfterSeconds }: RunOutcome,
  { at, random }: { readonly at: Timestamp; readonly random: number },
): NextRun {
  const failures = failure === undefined ? 0 : before + 1;
  const isRetry = failure !== undefined && failure === error;
  const interval = intervalMinutes * 60_000;
  const schedule = isRetry ? retriesOf(interval) : { pauses: [interval], spread };
  const milliseconds = Math.max(pauseAfter(schedule, before + 1, random), retryAfterSeconds * 1_000);
  return { dueAt: timestampAfter(at, Math.round(milliseconds)), failures, isRetry };
}

/** The pauses double with each failure, up to six hours, or the interval if that is longer. */
function retriesOf(interval: number): RetrySchedule {
  return doublingPauses(firstRetryMilliseconds, Math.max(interval, maxRetryMilliseconds), spread);
}

/**
 * Plans the next run of a source after one has ended, unless its settings were changed during that run and a run
 * is planned because of it. The source must be locked.
 */
export async function planNextRun(
  view: SiteData<Transaction>,
  source: StoredSource,
  { dueAt, failures, isRetry }: NextRun,
): Promise<void> {
  if (!isScheduled(source)) return;
  if (isRetry) await deleteWaitingRuns(view, source.id, { triggers: ['change'] });
  const open = await selectOpenRuns(view, source.id);
  if (open.some(({ status, trigger }) => status === 'waiting' && trigger === 'schedule')) return;
  await addRun(view, source.id, { trigger: 'schedule', isRetry, dueAt, failures });
}

/** Plans a run after the settings of a source have changed. The source must be locked. */
export async function planRunAfterUpdate(change: Change, source: StoredSource): Promise<void> {
  const triggers = source.enabled ? (['schedule'] as const) : (['schedule', 'change'] as const);
  await deleteWaitingRuns(change, source.id, { triggers });
  if (isScheduled(source)) await addRun(change, source.id, { trigger: 'schedule', dueAt: change.now });
}

function isScheduled({ enabled, type }: StoredSource): boolean {
  return enabled && type !== 'program';
}

/** Changes in a workspace usually come in groups, and one run is enough for all of them. */
const pauseAfterChangeMilliseconds = 5_000;

/**
 * Plans a run because the workspace reports a change, unless one is planned or the source is turned off. A workspace that
 * could not be read is not read before the next attempt.
 */
export async function requestRunAfterChange(change: Change, source: StoredSource): Promise<void> {
  const { now } = change;
  if (!source.enabled) return;
  const open = await selectOpenRuns(change, source.id);
  const isPlanned = open.some(
    ({ status, trigger, isRetry }) => status === 'waiting' && (trigger === 'change' || isRetry),
  );
  if (isPlanned) return;
  await requestRun(change, source, { trigger: 'change' }, timestampAfter(now, pauseAfterChangeMilliseconds));
}

/**
 * The number of failed runs before a run that begins. It replaces the planned one, which may be the next attempt after a
 * failure, and plans the next one itself.
 * @param open all runs of the source that have not ended
 */
export async function failuresBefore(
  view: SiteData<Transaction>,
  run: StoredRun,
  open: readonly StoredRun[],
): Promise<number> {
  // A run that another process has begun: what is planned since then follows a change of the settings.
  if (run.status === 'running' || run.list !== null || run.dryRun) return run.failures;
  await deleteWaitingRuns(view, run.sourceId, { triggers: ['schedule'], except: run.id });
  return Math.max(...open.map(({ failures }) => failures));
}
