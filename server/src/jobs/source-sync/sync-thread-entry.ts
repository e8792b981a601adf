import { systemClock } from '../../base/clock.ts';
import { systemTimers } from '../../base/timers.ts';
import { WorkspaceAccess } from '../../connectors/workspaces.ts';
import { startMonitoring } from '../../runtime/monitoring.ts';
import { serveCalls } from '../../runtime/threads/serve-calls.ts';
import { tracedDatabase } from '../../runtime/traced-database.ts';
import { openPostgres } from '../../storage/postgres/postgres-database.ts';
import { runSync, type SyncParts } from './run-sync.ts';
import type { SyncCalls, SyncThreadSettings } from './sync-thread.ts';

// The thread of `syncThread`.

/** No one waits for a synchronization, and its runs share few connections. */
const poolWaitMilliseconds = 8_000;

await serveCalls<SyncCalls, SyncThreadSettings>('work', async (settings, report) => {
  const { databaseUrl, poolSize } = settings;
  const monitoring = await startMonitoring(settings.monitoring, 'sync', report);
  const { watch, tracing } = monitoring;
  const opened = openPostgres(databaseUrl, { poolSize, poolWaitMilliseconds, watch });
  const database = tracedDatabase(opened, tracing);
  const workspaces = new WorkspaceAccess(settings.workspaces, systemClock, { tracing });
  const parts: SyncParts = {
    database,
    clock: systemClock,
    timers: systemTimers,
    random: Math.random,
    open: (...of) => workspaces.open(...of),
  };
  return {
    calls: { run: (claimed, { signal }) => runSync(parts, claimed, signal) },
    metrics: () => [...monitoring.metrics(), ...database.metrics()],
    close: () => Promise.all([workspaces.close(), database.close(), tracing?.close()]),
  };
});
