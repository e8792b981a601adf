import type { RunError, RunStatus } from '@gatehouse/contract';
import type { StoredResult } from './run.ts';

/** What of the result of a collection decides how its run has ended. */
type CollectionOutcome = Pick<StoredResult, 'error' | 'withheld'>;

/** How a run has ended. */
export interface RunOutcome {
  readonly status: Extract<RunStatus, 'succeeded' | 'confirmation_required' | 'failed'>;
  /** Why the run as a whole has failed: the collections that were not processed have no result. */
  readonly error: RunError | null;
  /** The first error, of the run or a collection, that another attempt may not have. */
  readonly failure: RunError | undefined;
  /** When the workspace wants to be read again; 0 if it does not say so. */
  readonly retryAfterSeconds: number;
}

/** @param error why the run as a whole has failed, if it has */
export function outcomeOf(
  results: readonly CollectionOutcome[],
  error: RunError | null,
  retryAfterSeconds = 0,
): RunOutcome {
  const errors = [error, ...results.map((result) => result.error)].filter((each) => each !== null);
  return {
    status: statusOf(results, error),
    error,
    // A missing collection, and a change by an operator, stay as they are in another attempt.
    failure: errors.find(({ code }) => code !== 'not_found' && code !== 'stopped'),
    retryAfterSeconds,
  };
}

function statusOf(results: readonly CollectionOutcome[], error: RunError | null): RunOutcome['status'] {
  const hasFailed = results.some((result) => result.error !== null && result.error.code !== 'not_found');
  if (error || hasFailed) return 'failed';
  return results.some(({ withheld }) => withheld > 0) ? 'confirmation_required' : 'succeeded';
}
