import type { Clock, Timestamp } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { StoredRun } from '../domain/sources/run.ts';
import { claimRun, findNextRunTime, findSitesWithDueRuns } from '../domain/sources/runs.ts';
import { runSync, type SyncParts } from '../domain/sources/source-sync.ts';
import { openWorkspace, type WorkspaceAccess } from '../domain/sources/workspaces.ts';
import type { Database } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { Backoff } from './backoff.ts';
import type { Job, Started, TaskRun } from './job.ts';

const firstPauseMilliseconds = 5_000;
const maxPauseMilliseconds = 60_000;

export interface SourceSyncParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly workspaces: WorkspaceAccess;
}

/** Synchronizes sources; a task is a site. */
export class SourceSync implements Job {
  readonly name = 'source-sync';
  readonly errorMessage = 'a source could not be synchronized and will be tried again';
  readonly sweepMilliseconds = 15_000;
  /** Sources read at the same time. */
  readonly concurrency = 4;
  readonly slotsPerTask = 2;
  readonly backoff = new Backoff(firstPauseMilliseconds, maxPauseMilliseconds);
  readonly #parts: SourceSyncParts;
  readonly #holder = newId();

  constructor(parts: SourceSyncParts) {
    this.#parts = parts;
  }

  isOutage(error: unknown): boolean {
    return error instanceof StoreUnavailable;
  }

  findDue(now: Timestamp): Promise<readonly string[]> {
    return findSitesWithDueRuns(this.#parts.database, now);
  }

  async start(siteId: string, { slots, stopping, restartAfter }: TaskRun): Promise<Started> {
    const { database, clock, random, workspaces } = this.#parts;
    const open: SyncParts['open'] = (...of) => openWorkspace(workspaces, ...of);
    const claimed: StoredRun[] = [];
    while (claimed.length < slots && !stopping.aborted) {
      const now = clock().toISOString();
      const run = await database.transaction((tx) => claimRun(tx, siteId, this.#holder, now));
      if (!run) break;
      claimed.push(run);
    }
    const sync = async (run: StoredRun) => {
      await runSync({ database, clock, random, open }, siteId, run, this.#holder, stopping);
      // The next run of the same source could not be claimed before.
      restartAfter(0);
    };
    if (claimed.length === 0) await this.#waitForNext(siteId, restartAfter);
    return { pieces: claimed.map((run) => () => sync(run)), more: claimed.length === slots };
  }

  /** A run that is due before the next sweep begins at its time. */
  async #waitForNext(siteId: string, restartAfter: TaskRun['restartAfter']): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock();
    const next = await findNextRunTime(database, siteId, now.toISOString());
    if (next !== undefined) restartAfter(Date.parse(next) - now.getTime() + 1);
  }
}
