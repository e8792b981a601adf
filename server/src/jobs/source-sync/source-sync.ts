import { doublingPauses } from '@gatehouse/contract/backoff';
import type { Clock, Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { ClaimedRun } from '../../domain/sources/runs/run.ts';
import { claimRun } from '../../domain/sources/runs/run-lease.ts';
import { findNextRunTime, findSitesWithDueRuns } from '../../domain/sources/runs/runs.ts';
import type { Database } from '../../storage/database.ts';
import type { Job, Started, TaskRun } from '../job.ts';

/** Carries out a claimed run, until it has ended or is released because Gatehouse stops. */
export type CarryOutRun = (claimed: ClaimedRun, stopping: AbortSignal) => Promise<void>;

export interface SourceSyncParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly carryOut: CarryOutRun;
}

/** Synchronizes sources; a task is a site. */
export class SourceSync implements Job {
  readonly name = 'source-sync';
  readonly errorMessage = 'a source could not be synchronized and will be tried again';
  readonly sweepMilliseconds = 15_000;
  /** Sources read at the same time. */
  readonly concurrency = 4;
  readonly slotsPerTask = 2;
  readonly backoff = doublingPauses(5_000, 60_000);
  readonly #parts: SourceSyncParts;

  constructor(parts: SourceSyncParts) {
    this.#parts = parts;
  }

  findDue(now: Timestamp): Promise<readonly string[]> {
    return findSitesWithDueRuns(this.#parts.database, now);
  }

  async start(siteId: string, { slots, stopping, restartAfter }: TaskRun): Promise<Started> {
    const { database, clock, carryOut } = this.#parts;
    const pieces: (() => Promise<void>)[] = [];
    while (pieces.length < slots && !stopping.aborted) {
      const now = clock().toISOString();
      const holder = newId();
      const run = await database.transaction((tx) => claimRun({ db: tx, siteId, now }, holder));
      if (!run) break;
      pieces.push(async () => {
        await carryOut({ siteId, run, holder }, stopping);
        // The next run of the same source could not be claimed before.
        restartAfter(0);
      });
    }
    if (pieces.length === 0) await this.#waitForNext(siteId, restartAfter);
    return { pieces, more: pieces.length === slots };
  }

  /** A run that is due before the next sweep begins at its time. */
  async #waitForNext(siteId: string, restartAfter: TaskRun['restartAfter']): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock();
    const next = await findNextRunTime({ db: database, siteId, now: now.toISOString() });
    if (next !== undefined) restartAfter(Date.parse(next) - now.getTime() + 1);
  }
}
