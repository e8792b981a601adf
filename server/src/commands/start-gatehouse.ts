import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Operation, Site } from '@gatehouse/contract';
import type { Logger } from 'pino';
import sql from 'sql-template-tag';
import { systemContext } from '../base/change-context.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { installation, threadEntry } from '../base/installation.ts';
import type { Report } from '../base/report.ts';
import { systemTimers } from '../base/timers.ts';
import { SiteAccess } from '../domain/access-rules/site-access.ts';
import { ensureOperatorTenant } from '../domain/sites/operator-tenant.ts';
import { WorkspaceAccess } from '../domain/sources/workspaces.ts';
import {
  addressOf,
  closeServer,
  type ListenAddress,
  type ReservedPort,
  reservePort,
} from '../http/connections/listening.ts';
import type { SelfCheck } from '../http/health/self-check.ts';
import { createServer } from '../http/server.ts';
import { Admission } from '../http/shared/admission.ts';
import { Authentication } from '../http/shared/authentication.ts';
import { createRateLimits } from '../http/shared/rate-limit.ts';
import { createSiteServer } from '../http/site-server.ts';
import type { BackgroundSettings } from '../jobs/background-jobs.ts';
import { emailComposer } from '../pages/emails/email-composer.ts';
import type { ActionCall, ActionInput, Call, CallRunner } from '../runtime/call.ts';
import { OperationRunner, type ServiceSettings } from '../runtime/operation-runner.ts';
import { OperationThread } from '../runtime/operation-thread.ts';
import { SearchThreads } from '../runtime/search-threads.ts';
import { SyncThread, type SyncThreadOptions } from '../runtime/sync-thread.ts';
import type { Database } from '../storage/database.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { migrate } from '../storage/migrations.ts';
import { createSqliteFile } from '../storage/sqlite/new-sqlite-file.ts';
import { openSqlite } from '../storage/sqlite/sqlite-database.ts';
import { chooseSite, readSiteSource, type SiteSource } from './built-in-site.ts';
import { CommandFailure } from './failure.ts';
import { ensureSecretKeys, requireSecretKey } from './secret-keys.ts';
import { type Settings, workspaceSettings } from './settings.ts';
import { version } from './version.ts';

const apiPath = '/api/v1';
/**
 * With 8 MiB, gate checks that needed pages of several tables took 4 % longer in a site of 100,000 members
 * (`npm run bench -- --only gate-rules`).
 */
const cacheKibibytes = 32_768;
/** More would take memory, and processors from other work. */
const maxSearchThreads = Math.min(4, availableParallelism());
const operationThreadEntry = threadEntry('commands/operation-thread-entry');
const builtDashboard = fileURLToPath(new URL('dashboard/dist', installation));

/** A running Gatehouse. */
export interface Gatehouse {
  /** The URL on which it listens, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** The URL on which it serves a site, if it does. */
  readonly siteAddress: string | undefined;
  /** Stops accepting requests, finishes those in progress, and closes everything within ten seconds. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** The folder of the built dashboard, if not the default. */
  readonly dashboardFolder?: string;
  /** See `ServerSettings`. */
  readonly selfCheck?: SelfCheck;
  /** Called once the store is up to date, before the first request is accepted. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Called when the process cannot continue because a thread of the store has ended. */
  readonly onFatal: () => void;
}

/**
 * Takes the port, brings the store up to date, connects the parts and listens. If the port is in use, nothing in the
 * store changes: another Gatehouse may be running on it.
 */
export async function startGatehouse(settings: Settings, options: StartOptions): Promise<Gatehouse> {
  requireSecretKey(settings);
  const source = readSiteSource(settings);
  const addresses = [settings, ...(source ? [{ host: settings.siteHost, port: settings.sitePort }] : [])];
  const ports: ReservedPort[] = [];
  const release = () => ports.forEach((port) => void port.release());
  try {
    for (const address of addresses) ports.push(await reserve(address, address !== settings));
    const { servers, ready, stop } = await createParts(settings, source, options);
    try {
      for (const server of servers) await server.ready();
      await ready;
      release();
      for (const [index, { host, port }] of addresses.entries()) await servers[index]!.listen({ host, port });
    } catch (error) {
      await stop();
      throw error;
    }
    const [server, site] = servers;
    return { address: addressOf(server!), siteAddress: site && addressOf(site), stop };
  } finally {
    release();
  }
}

function reserve(address: ListenAddress, isOfSite: boolean): Promise<ReservedPort> {
  return reservePort(address).catch((error) => {
    if (!isOfSite || error.code !== 'EADDRINUSE') throw error;
    throw new CommandFailure(
      'port_in_use',
      `Port ${address.port} on ${address.host} is in use. Stop the other program, or choose another port for the site with --site-port.`,
    );
  });
}

/** The servers, which do not listen yet, the one of the site last, and everything that they need. */
async function createParts(settings: Settings, source: SiteSource | undefined, options: StartOptions) {
  const { logger, clock = systemClock, dashboardFolder = builtDashboard } = options;
  const store = await openStore(settings, clock, options);
  try {
    const slug = source && (await chooseSite(store.database, settings.site));
    const limits = await createRateLimits(settings.redisUrl, (error) =>
      logger.warn({ err: error }, 'Redis is unavailable; limits are counted in this process'),
    );
    const onSeen = recordWith('prolongSession', store.writer, clock, logger);
    const onTokenUsed = recordWith('markTokenUsed', store.writer, clock, logger);
    const parts = {
      admission: new Admission(new Authentication(store.database, store.tenant.id, clock), limits, {
        rateLimit: settings.rateLimit,
        unauthenticatedRateLimit: settings.rateLimitUnauthenticated,
      }),
      limits,
      runnerFor: store.runnerFor,
      writer: store.writer,
      database: store.database,
      tenant: store.tenant,
      siteAccess: new SiteAccess(store.database, clock, {
        publicWithoutStore: settings.gateWithoutStore === 'public',
        onSeen,
        onTokenUsed,
      }),
      onSeen,
      workspaces: store.workspaces,
      checkStore: async () => void (await store.database.get(sql`SELECT 1 AS one FROM sites LIMIT 1`)),
      clock,
      logger,
    };
    const shared = { ...serverSettings(settings), selfCheck: options.selfCheck };
    const servers = [createServer(parts, { ...shared, version, dashboardFolder, builtInSite: slug })];
    if (source && slug !== undefined) {
      const { siteUpstreamTimeoutSeconds: upstreamTimeoutSeconds } = settings;
      servers.push(createSiteServer(parts, { ...shared, slug, source, upstreamTimeoutSeconds }));
    }
    const stop = async () => {
      await Promise.all(servers.map(closeServer));
      await limits.close();
      await store.close();
    };
    return { servers, ready: store.ready, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function serverSettings(settings: Settings) {
  return {
    publicUrl: settings.publicUrl,
    trustedProxies: settings.trustedProxies,
    unauthenticatedRateLimit: settings.rateLimitUnauthenticated,
    requestTimeoutSeconds: settings.requestTimeoutSeconds,
    pages: { loginLimit: settings.loginLimit, loginLimitClient: settings.loginLimitClient },
  };
}

interface Store {
  /** Used to read keys and to check the health of the store. */
  readonly database: Database;
  /** The operators' hidden site. */
  readonly tenant: Site;
  readonly runnerFor: (operation: Operation, call: Call) => CallRunner;
  readonly writer: CallRunner;
  /** Resolves when the store can run calls. Rejects if it cannot. */
  readonly ready: Promise<void>;
  /** To check what workspaces send. */
  readonly workspaces: WorkspaceAccess;
  close(): Promise<void>;
}

async function openStore(settings: Settings, clock: Clock, options: StartOptions): Promise<Store> {
  return dialectOf(settings.databaseUrl) === 'postgres'
    ? openServerStore(settings, clock, options)
    : openEmbeddedStore(settings, clock, options);
}

async function openServerStore(
  settings: Settings,
  clock: Clock,
  { logger, prepare }: StartOptions,
): Promise<Store> {
  const { openPostgres } = await import('../storage/postgres/postgres-database.ts');
  const { BackgroundJobs } = await import('../jobs/background-jobs.ts');
  const database = openPostgres(settings.databaseUrl, { poolSize: settings.databasePoolSize, listen: true });
  let tenant: Site;
  try {
    tenant = await bringUpToDate(database, settings, prepare, logger);
  } catch (error) {
    await database.close();
    throw error;
  }
  const sync = new SyncThread(syncThreadOptions(settings), reportTo(logger), systemTimers);
  const background = new BackgroundJobs(
    database,
    backgroundSettings(settings),
    emailComposer,
    clock,
    reportTo(logger),
    (...claimed) => sync.run(...claimed),
  );
  const runner = new OperationRunner(database, serviceSettings(settings), emailComposer, (siteId, work) =>
    background.wake(siteId, work),
  );
  background.start();
  return {
    database,
    tenant,
    runnerFor: () => runner,
    writer: runner,
    ready: Promise.resolve(),
    workspaces: new WorkspaceAccess(workspaceSettings(settings), clock),
    close: async () => {
      await background.stop();
      await sync.close();
      await runner.close();
      await database.close();
    },
  };
}

/** More would only compete with requests for the processors of the server of the database. */
const maxSyncConnections = 4;

function syncThreadOptions(settings: Settings): SyncThreadOptions {
  const { databaseUrl, databasePoolSize } = settings;
  const poolSize = Math.min(maxSyncConnections, databasePoolSize);
  return { databaseUrl, poolSize, workspaces: workspaceSettings(settings) };
}

async function bringUpToDate(
  database: Database,
  { publicUrl }: Settings,
  prepare: StartOptions['prepare'],
  logger: Logger,
): Promise<Site> {
  await migrate(database, (message) => logger.info(`migration ${message}`));
  const tenant = await ensureOperatorTenant(database, publicUrl);
  await prepare?.(database);
  return tenant;
}

/**
 * SQLite calls block their thread: operations that may take long run on their own threads, so that this one stays
 * responsive.
 */
async function openEmbeddedStore(
  given: Settings,
  clock: Clock,
  { logger, onFatal, prepare }: StartOptions,
): Promise<Store> {
  const path = sqlitePath(given.databaseUrl);
  const tenant = await prepareFile(path, given, prepare, logger);
  const settings = { ...given, secretKeys: ensureSecretKeys(given) };

  const onGone = (report: string) => {
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
      },
      reportTo(logger),
      onGone,
    );
  const writer = startThread('writer');
  const searching = new SearchThreads(() => startThread('reader'), maxSearchThreads, systemTimers);
  const database = openSqlite(path, { readOnly: true, cacheKibibytes });
  const reader = new OperationRunner(database, serviceSettings(settings), emailComposer);
  return {
    database,
    tenant,
    runnerFor: (operation, call) => {
      if (call.changes) return writer;
      return mayTakeLong(operation, call.query) ? searching : reader;
    },
    writer,
    ready: writer.ready,
    workspaces: new WorkspaceAccess(workspaceSettings(settings), clock),
    close: async () => {
      await Promise.all([searching.stop(), reader.close(), database.close()]);
      await writer.stop();
    },
  };
}

/**
 * The first start creates everything an installation contains before the file gets its name. Returns the operators'
 * tenant.
 */
async function prepareFile(
  path: string,
  settings: Settings,
  prepare: StartOptions['prepare'],
  logger: Logger,
): Promise<Site> {
  let tenant: Site | undefined;
  const build = async (database: Database) => {
    tenant = await bringUpToDate(database, settings, prepare, logger);
  };
  // If another process was faster, the file of this process is discarded and the other one is used.
  if (!(await createSqliteFile(path, build))) {
    const database = openSqlite(path, {});
    await build(database).finally(() => database.close());
  }
  return tenant!;
}

const searchParameters = [
  ...['q', 'status', 'paid', 'verified'],
  ...['type', 'memberId', 'groupId', 'actorType', 'actorId', 'since', 'until'],
];

/** A filtered list may read many rows to find its own, and the overview counts every row. */
function mayTakeLong({ id, success }: Operation, query: unknown): boolean {
  if (id === 'getOverview') return true;
  return success.headers.includes('Link') && searchParameters.some((name) => name in (query as object));
}

function reportTo(logger: Logger): Report {
  return (level, message, facts) => logger[level](facts, message);
}

/**
 * Records the use of a session or an access token without delaying the response. A failed attempt is repeated at the next
 * request.
 */
function recordWith<Action extends 'prolongSession' | 'markTokenUsed'>(
  action: Action,
  writer: CallRunner,
  clock: Clock,
  logger: Logger,
) {
  const inProgress = new Set<string>();
  return (siteId: string, used: ActionInput<Action>): void => {
    if (inProgress.has(used.id)) return;
    inProgress.add(used.id);
    const call: ActionCall<Action> = {
      action,
      siteId,
      changeContext: systemContext(clock().toISOString()),
      input: used,
    };
    writer
      .perform(call as ActionCall)
      .catch((error) =>
        logger.warn({ err: error }, 'the use of a session or an access token could not be recorded'),
      )
      .finally(() => inProgress.delete(used.id));
  };
}

/** The settings that are passed to a thread. */
function backgroundSettings(settings: Settings): BackgroundSettings {
  const { eventRetentionDays, purgeIntervalSeconds, smtpUrl, mailFrom, emailLimits } = settings;
  const workspaces = workspaceSettings(settings);
  return { eventRetentionDays, purgeIntervalSeconds, smtpUrl, mailFrom, emailLimits, workspaces };
}

function serviceSettings(settings: Settings): ServiceSettings {
  const { publicUrl, eventRetentionDays, smtpUrl, rateLimit, emailLimits } = settings;
  return {
    publicUrl,
    apiUrl: publicUrl + apiPath,
    eventRetentionDays,
    sendsEmail: smtpUrl !== undefined,
    defaultRateLimit: rateLimit,
    emailLimits,
    workspaces: workspaceSettings(settings),
  };
}
