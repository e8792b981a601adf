import { availableParallelism } from 'node:os';
import type { Site } from '@gatehouse/contract';
import type { Clock } from '../../base/clock.ts';
import { threadEntry } from '../../base/installation.ts';
import { systemTimers } from '../../base/timers.ts';
import { LoginProviderAccess } from '../../connectors/login-provider/login-provider-access.ts';
import { WorkspaceAccess } from '../../connectors/workspaces.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import type { Monitoring } from '../../runtime/monitoring.ts';
import { OperationRunner, readsMany } from '../../runtime/operation-runner.ts';
import { OperationThread } from '../../runtime/threads/operation-thread.ts';
import { SearchThreads } from '../../runtime/threads/search-threads.ts';
import type { Database } from '../../storage/database.ts';
import { sqlitePath } from '../../storage/database-url.ts';
import { createSqliteFile } from '../../storage/sqlite/new-sqlite-file.ts';
import { openSqlite } from '../../storage/sqlite/sqlite-database.ts';
import { monitoringSettings } from '../log/service-monitoring.ts';
import { ensureSecretKeys } from '../settings/secret-keys.ts';
import { backgroundSettings, serviceSettings, workspaceSettings } from '../settings/service-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { bringUpToDate, type OpenedStore, reportTo, type StoreOptions } from './opened-store.ts';

/**
 * With 8 MiB, gate checks that needed pages of several tables took 4 % longer in a site of 100,000 members
 * (`npm run bench -- --only gate-rules`).
 */
const cacheKibibytes = 32_768;
/** More would take memory, and processors from other work. */
const maxSearchThreads = Math.min(4, availableParallelism());
const defaultEntry = threadEntry('app/store/operation-thread-entry');

/**
 * Opens a database file, SQLite. Its calls block their thread: operations that may take long run on their own threads,
 * so that this one stays responsive.
 */
export async function openEmbeddedStore(
  given: Settings,
  clock: Clock,
  options: StoreOptions,
  monitoring: Monitoring,
): Promise<OpenedStore> {
  const { logger, onFatal, operationThreadEntry = defaultEntry } = options;
  const { watch, tracing } = monitoring;
  const path = sqlitePath(given.databaseUrl);
  const tenant = await prepareFile(path, given, options);
  const settings = { ...given, secretKeys: ensureSecretKeys(given) };

  const onCrash = ({ stack: report }: Error) => {
    logger.fatal({ report }, 'a thread of the store ended');
    onFatal();
  };
  const startThread = (role: 'writer' | 'reader') =>
    new OperationThread(
      operationThreadEntry,
      {
        databaseUrl: settings.databaseUrl,
        settings: serviceSettings(settings),
        role,
        background: role === 'writer' ? backgroundSettings(settings) : undefined,
        monitoring: monitoringSettings(settings),
      },
      reportTo(logger),
      onCrash,
      tracing,
    );
  const writer = startThread('writer');
  const searching = new SearchThreads(() => startThread('reader'), maxSearchThreads, systemTimers);
  const database = openSqlite(path, { readOnly: true, cacheKibibytes, watch });
  const reader = new OperationRunner(
    database,
    serviceSettings(settings),
    emailComposer,
    () => {},
    monitoring,
  );
  const { outgoing } = workspaceSettings(settings);
  const loginProviders = new LoginProviderAccess(outgoing, clock, tracing);
  return {
    database,
    tenant,
    runnerFor: (call) => {
      if (call.changes) return writer;
      return readsMany(call) ? searching : reader;
    },
    writer,
    ready: writer.ready,
    workspaces: new WorkspaceAccess(workspaceSettings(settings), clock),
    loginProviders,
    metrics: async () => (await Promise.all([writer.metrics(), searching.metrics()])).flat(),
    close: async () => {
      await Promise.all([searching.stop(), reader.close(), loginProviders.close(), database.close()]);
      await writer.stop();
    },
  };
}

/**
 * The first start creates everything an installation contains before the file gets its name. Returns the operators'
 * tenant.
 */
async function prepareFile(path: string, settings: Settings, options: StoreOptions): Promise<Site> {
  let tenant: Site | undefined;
  const build = async (database: Database) => {
    tenant = await bringUpToDate(database, settings, options);
  };
  // If another process was faster, the file of this process is discarded and the other one is used.
  if (!(await createSqliteFile(path, build))) {
    const database = openSqlite(path, {});
    await build(database).finally(() => database.close());
  }
  return tenant!;
}
