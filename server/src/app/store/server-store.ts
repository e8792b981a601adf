import type { Site } from '@gatehouse/contract';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { systemTimers } from '../../base/timers.ts';
import { LoginProviderAccess } from '../../connectors/login-provider/login-provider-access.ts';
import { WorkspaceAccess } from '../../connectors/workspaces.ts';
import { BackgroundJobs } from '../../jobs/background-jobs.ts';
import { type SyncThreadSettings, syncThread } from '../../jobs/source-sync/sync-thread.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import type { Monitoring } from '../../runtime/monitoring.ts';
import { OperationRunner } from '../../runtime/operation-runner.ts';
import { tracedDatabase } from '../../runtime/traced-database.ts';
import type { Database } from '../../storage/database.ts';
import { openPostgres } from '../../storage/postgres/postgres-database.ts';
import { monitoringSettings } from '../log/service-monitoring.ts';
import { backgroundSettings, serviceSettings, workspaceSettings } from '../settings/service-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { bringUpToDate, type OpenedStore, reportTo, type StoreOptions } from './opened-store.ts';

/** Opens a database on a server, PostgreSQL. */
export async function openServerStore(
  settings: Settings,
  clock: Clock,
  options: StoreOptions,
  monitoring: Monitoring,
): Promise<OpenedStore> {
  const { logger, group } = options;
  const { tracing } = monitoring;
  const database = openDatabase(settings, logger, monitoring);
  let tenant: Site;
  try {
    tenant = await bringUpToDate(database, settings, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  const sync = syncThread(syncThreadSettings(settings), reportTo(logger), systemTimers);
  const background = new BackgroundJobs(backgroundSettings(settings), {
    database,
    composer: emailComposer,
    clock,
    report: reportTo(logger),
    carryOut: (claimed, signal) => sync.call('run', claimed, { signal }),
    tracing,
  });
  const jobs = group?.shareJobs(background) ?? background;
  const runner = new OperationRunner(
    database,
    serviceSettings(settings),
    emailComposer,
    (siteId, work) => jobs.wake(siteId, work),
    monitoring,
  );
  jobs.start();
  const { outgoing } = workspaceSettings(settings);
  const loginProviders = new LoginProviderAccess(outgoing, clock, tracing);
  return {
    database,
    tenant,
    runnerFor: () => runner,
    writer: runner,
    ready: Promise.resolve(),
    workspaces: new WorkspaceAccess(workspaceSettings(settings), clock),
    loginProviders,
    metrics: async () => [
      ...database.metrics(),
      ...runner.metrics(),
      ...background.metrics(),
      ...(await sync.metrics()),
    ],
    close: async () => {
      await background.stop();
      await sync.close();
      await runner.close();
      await loginProviders.close();
      await database.close();
    },
  };
}

function openDatabase(settings: Settings, logger: Logger, { watch, tracing }: Monitoring): Database {
  const database = openPostgres(settings.databaseUrl, {
    poolSize: settings.databasePoolSize,
    listen: true,
    directUrl: settings.databaseDirectUrl,
    onWarning: (message) => logger.warn(message),
    watch,
  });
  return tracedDatabase(database, tracing);
}

/** More would only compete with requests for the processors of the server of the database. */
const maxSyncConnections = 4;

function syncThreadSettings(settings: Settings): SyncThreadSettings {
  const { databaseUrl, databasePoolSize } = settings;
  const poolSize = Math.min(maxSyncConnections, databasePoolSize);
  const workspaces = workspaceSettings(settings);
  return { databaseUrl, poolSize, workspaces, monitoring: monitoringSettings(settings) };
}
