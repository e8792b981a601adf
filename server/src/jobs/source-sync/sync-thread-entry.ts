import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { systemTimers } from '../../base/timers.ts';
import { reportWarnings } from '../../base/warnings.ts';
import { WorkspaceAccess } from '../../connectors/workspaces.ts';
import { startMonitoring } from '../../runtime/monitoring.ts';
import { faultOf, lowerPriority } from '../../runtime/threads/thread.ts';
import { tracedDatabase } from '../../runtime/traced-database.ts';
import { openPostgres } from '../../storage/postgres/postgres-database.ts';
import { runSync, type SyncParts } from './run-sync.ts';
import type { FromSyncThread, SyncRequest, SyncThreadOptions, ToSyncThread } from './sync-thread.ts';

// The thread that a `SyncThread` starts.

/** No one waits for a synchronization, and its runs share few connections. */
const poolWaitMilliseconds = 8_000;

reportWarnings(({ name, message }) => send({ log: { level: 'warn', message, facts: { warning: name } } }));
lowerPriority('work');
const port = parentPort!;
const { databaseUrl, poolSize, workspaces: settings, monitoring: chosen } = workerData as SyncThreadOptions;
const monitoring = await startMonitoring(chosen, 'sync', (level, message, facts) =>
  send({ log: { level, message, facts } }),
);
const { watch, tracing } = monitoring;
const database = tracedDatabase(
  openPostgres(databaseUrl, { poolSize, poolWaitMilliseconds, watch }),
  tracing,
);
const workspaces = new WorkspaceAccess(settings, systemClock, { tracing });
const parts: SyncParts = {
  database,
  clock: systemClock,
  timers: systemTimers,
  random: Math.random,
  open: (...of) => workspaces.open(...of),
};
const running = new Map<number, { readonly stopping: AbortController; readonly ended: Promise<void> }>();

port.on('message', (message: ToSyncThread) => {
  if ('run' in message) begin(message.run);
  else if ('release' in message) running.get(message.release)?.stopping.abort();
  else if ('collect' in message) {
    send({ collected: message.collect, metrics: [...monitoring.metrics(), ...database.metrics()] });
  } else end();
});

function begin({ number, ...claimed }: SyncRequest): void {
  const stopping = new AbortController();
  const ended = runSync(parts, claimed, stopping.signal)
    .then(
      () => send({ ended: number }),
      (error) => send({ ended: number, fault: faultOf(error) }),
    )
    .finally(() => running.delete(number));
  running.set(number, { stopping, ended });
}

async function end(): Promise<void> {
  for (const { stopping } of running.values()) stopping.abort();
  await Promise.all([...running.values()].map(({ ended }) => ended));
  await Promise.all([workspaces.close(), database.close(), tracing?.close()]);
  port.close();
}

function send(message: FromSyncThread): void {
  port.postMessage(message);
}
