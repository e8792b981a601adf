import { threadEntry } from '../../base/installation.ts';
import type { Report } from '../../base/report.ts';
import type { Timers } from '../../base/timers.ts';
import type { WorkspaceSettings } from '../../connectors/workspaces.ts';
import type { ClaimedRun } from '../../domain/sources/runs/run.ts';
import type { MonitoringSettings } from '../../runtime/monitoring.ts';
import { ThreadOnDemand } from '../../runtime/threads/thread-on-demand.ts';

const defaultEntry = threadEntry('jobs/source-sync/sync-thread-entry');

/** Plain data, which is passed to the thread. */
export interface SyncThreadSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly workspaces: WorkspaceSettings;
  readonly monitoring: MonitoringSettings;
}

export interface SyncCalls {
  /** Carries out a claimed run. If the thread ends meanwhile, the run is continued by a later claim. */
  run(claimed: ClaimedRun): void;
}

/**
 * Synchronizes sources in a separate thread with its own database connections, so that a large synchronization never
 * delays requests.
 * @param report called with what happens in the thread outside of runs
 */
export function syncThread(
  settings: SyncThreadSettings,
  report: Report,
  timers: Timers,
  entry = defaultEntry,
): ThreadOnDemand<SyncCalls> {
  const description = 'The thread of the synchronizations';
  return new ThreadOnDemand({ entry, description, settings, report, monitoredAs: 'sync' }, timers);
}
