import { setTimeout } from 'node:timers/promises';
import type { SourceRun } from '@gatehouse/contract';
import { systemClock } from '../../../base/clock.ts';
import { newId } from '../../../base/ids.ts';
import { systemTimers } from '../../../base/timers.ts';
import { WorkspaceAccess, type WorkspaceSettings } from '../../../connectors/workspaces.ts';
import { claimRunOfSource } from '../../../domain/sources/runs/run-lease.ts';
import { findRun } from '../../../domain/sources/runs/runs.ts';
import { runSync, type SyncParts } from '../../../jobs/source-sync/run-sync.ts';
import type { Database } from '../../../storage/database.ts';
import type { SiteData } from '../../../storage/site-view.ts';

const pollMilliseconds = 200;

interface Waiting {
  readonly onProgress: (run: SourceRun) => void;
  readonly signal: AbortSignal;
}

/** Runs a synchronization in this process, unless the service has begun it, and returns it when it has ended. */
export async function runToItsEnd(
  view: SiteData<Database>,
  settings: WorkspaceSettings,
  { id, sourceId }: SourceRun,
  { onProgress, signal }: Waiting,
): Promise<SourceRun> {
  const workspaces = new WorkspaceAccess(settings, systemClock);
  const parts: SyncParts = {
    database: view.db,
    clock: systemClock,
    timers: systemTimers,
    random: Math.random,
    open: (...of) => workspaces.open(...of),
  };
  try {
    for (;;) {
      const run = await findRun(view, sourceId, id);
      onProgress(run);
      if (run.endedAt !== null) return run;
      signal.throwIfAborted();
      if (!(await continueRun(parts, view.siteId, sourceId, signal))) await setTimeout(pollMilliseconds);
    }
  } finally {
    await workspaces.close();
  }
}

/** Carries out the next run of a source. Returns false if another process has it. */
async function continueRun(
  parts: SyncParts,
  siteId: string,
  sourceId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const claim = { holder: newId(), now: systemClock().toISOString() };
  const run = await parts.database.transaction((db) => claimRunOfSource({ db, siteId }, sourceId, claim));
  if (run) await runSync(parts, { siteId, run, holder: claim.holder }, signal);
  return run !== undefined;
}
