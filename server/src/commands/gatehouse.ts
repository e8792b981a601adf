import { fileURLToPath } from 'node:url';
import type { Operation, Site } from '@gatehouse/contract';
import type { Logger } from 'pino';
import sql from 'sql-template-tag';
import { systemCause } from '../base/cause.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { Gatekeeper } from '../gate/gatekeeper.ts';
import { Admission } from '../http/admission.ts';
import { Authentication } from '../http/authentication.ts';
import type { Report } from '../http/background-work.ts';
import type { Call, Performer } from '../http/call.ts';
import { addressOf, closeServer } from '../http/listening.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import type { SelfCheck } from '../http/self-check.ts';
import { createServer } from '../http/server.ts';
import { Service, type ServiceSettings } from '../http/service.ts';
import { ServiceThread } from '../http/service-thread.ts';
import { keepOperatorsRealm } from '../operators/operators-realm.ts';
import type { SeenSession } from '../routing/route.ts';
import type { Database } from '../storage/database.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { migrate } from '../storage/migrations.ts';
import { createSqliteFile } from '../storage/new-sqlite-file.ts';
import { openSqlite } from '../storage/sqlite.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';

const apiPath = '/api/v1';
const builtDashboard = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));

/** A running Gatehouse. */
export interface Gatehouse {
  /** Where it listens, `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Takes no more requests, ends those under way, and closes everything within ten seconds. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Where the dashboard is built to, if not beside the server. */
  readonly dashboardFolder?: string;
  /** See `ServerSettings`. */
  readonly selfCheck?: SelfCheck;
  /** Done once the store is up to date and before anybody is served. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Called when nothing can go on: the thread that writes is gone. */
  readonly onFatal: () => void;
}

/** Puts the parts together, brings the store up to date and listens. */
export async function startGatehouse(settings: Settings, options: StartOptions): Promise<Gatehouse> {
  const { logger, clock = systemClock, dashboardFolder = builtDashboard } = options;
  const store = await openStore(settings, clock, options);
  const limits = await createRateLimits(settings.redisUrl, (error) =>
    logger.warn({ err: error }, 'Redis is out of reach; limits are counted in this process'),
  );
  const onSeen = prolongWith(store.writer, clock, logger);
  const server = createServer(
    {
      admission: new Admission(new Authentication(store.database, store.realm.id, clock), limits, {
        rateLimit: settings.rateLimit,
        unauthenticatedRateLimit: settings.rateLimitUnauthenticated,
      }),
      limits,
      performerOf: store.performerOf,
      writer: store.writer,
      database: store.database,
      realm: store.realm,
      gatekeeper: new Gatekeeper(store.database, clock, {
        publicWithoutStore: settings.gateWithoutStore === 'public',
        onSeen,
      }),
      onSeen,
      checkStore: async () => void (await store.database.get(sql`SELECT 1 AS one FROM sites LIMIT 1`)),
      clock,
      logger,
    },
    {
      version,
      publicUrl: settings.publicUrl,
      trustedProxies: settings.trustedProxies,
      unauthenticatedRateLimit: settings.rateLimitUnauthenticated,
      requestTimeoutSeconds: settings.requestTimeoutSeconds,
      dashboardFolder,
      selfCheck: options.selfCheck,
      pages: { loginLimit: settings.loginLimit, loginLimitClient: settings.loginLimitClient },
    },
  );
  const stop = async () => {
    await closeServer(server);
    await limits.close();
    await store.close();
  };
  try {
    await server.listen({ host: settings.host, port: settings.port });
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: addressOf(server), stop };
}

interface Store {
  /** For reading keys and the health of the store. */
  readonly database: Database;
  /** The operators' hidden site. */
  readonly realm: Site;
  readonly performerOf: (operation: Operation, call: Call) => Performer;
  readonly writer: Performer;
  close(): Promise<void>;
}

async function openStore(settings: Settings, clock: Clock, options: StartOptions): Promise<Store> {
  return dialectOf(settings.databaseUrl) === 'postgres'
    ? openServerStore(settings, clock, options)
    : openEmbeddedStore(settings, options);
}

async function openServerStore(
  settings: Settings,
  clock: Clock,
  { logger, prepare }: StartOptions,
): Promise<Store> {
  const { openPostgres } = await import('../storage/postgres.ts');
  const { BackgroundWork } = await import('../http/background-work.ts');
  const database = openPostgres(settings.databaseUrl, { poolSize: settings.databasePoolSize, listen: true });
  let realm: Site;
  try {
    realm = await bringUpToDate(database, settings, prepare);
  } catch (error) {
    await database.close();
    throw error;
  }
  const background = new BackgroundWork(database, settings, clock, reportTo(logger));
  const service = new Service(database, serviceSettings(settings), (siteId) => background.wake(siteId));
  background.start();
  return {
    database,
    realm,
    performerOf: () => service,
    writer: service,
    close: async () => {
      await background.stop();
      await database.close();
    },
  };
}

async function bringUpToDate(
  database: Database,
  { publicUrl }: Settings,
  prepare: StartOptions['prepare'],
): Promise<Site> {
  await migrate(database);
  const realm = await keepOperatorsRealm(database, publicUrl);
  await prepare?.(database);
  return realm;
}

/** SQLite works where it is called: what may take long has threads of its own, and this one stays free to answer. */
async function openEmbeddedStore(
  settings: Settings,
  { logger, onFatal, prepare }: StartOptions,
): Promise<Store> {
  const path = sqlitePath(settings.databaseUrl);
  const realm = await prepareFile(path, settings, prepare);

  const onGone = (report: string) => {
    logger.fatal({ report }, 'a thread of the store ended');
    onFatal();
  };
  const { eventRetentionDays, housekeepingIntervalSeconds, smtpUrl, mailFrom, emailLimits } = settings;
  const background = { eventRetentionDays, housekeepingIntervalSeconds, smtpUrl, mailFrom, emailLimits };
  const startThread = (role: 'writer' | 'reader') =>
    ServiceThread.start(
      {
        databaseUrl: settings.databaseUrl,
        settings: serviceSettings(settings),
        role,
        background: role === 'writer' ? background : undefined,
      },
      reportTo(logger),
      onGone,
    );
  const writer = await startThread('writer');
  // Nobody searches in the first moment: the start does not wait for it.
  let searcher: Promise<ServiceThread> | undefined;
  const search = () => {
    searcher ??= startThread('reader');
    return searcher;
  };
  const searching: Performer = { perform: async (call) => (await search()).perform(call) };
  const warmUp = setTimeout(() => search().catch((error) => onGone(String(error))), warmUpMilliseconds);
  const database = openSqlite(path, { readOnly: true });
  const reader = new Service(database, serviceSettings(settings));
  return {
    database,
    realm,
    performerOf: (operation, call) => {
      if (call.changes) return writer;
      return mayTakeLong(operation, call.query) ? searching : reader;
    },
    writer,
    close: async () => {
      clearTimeout(warmUp);
      await Promise.all([searcher?.then((thread) => thread.stop()), database.close()]);
      await writer.stop();
    },
  };
}

const warmUpMilliseconds = 200;

/** The first start makes all that an installation has before its file gets its name. Gives the operators' realm. */
async function prepareFile(
  path: string,
  settings: Settings,
  prepare: StartOptions['prepare'],
): Promise<Site> {
  let realm: Site | undefined;
  const build = async (database: Database) => {
    realm = await bringUpToDate(database, settings, prepare);
  };
  // Where another process was first, what this one has made is gone, and its own is used.
  if (!(await createSqliteFile(path, build))) {
    const database = openSqlite(path, {});
    await build(database).finally(() => database.close());
  }
  return realm!;
}

const searchParameters = [
  ...['q', 'status', 'paid', 'verified'],
  ...['type', 'memberId', 'groupId', 'actorType', 'actorId', 'since', 'until'],
];

/** A list with a filter may pass by many rows to find its own, and the overview counts every one. */
function mayTakeLong({ id, success }: Operation, query: unknown): boolean {
  if (id === 'getOverview') return true;
  return success.headers.includes('Link') && searchParameters.some((name) => name in (query as object));
}

function reportTo(logger: Logger): Report {
  return (level, message, facts) => logger[level](facts, message);
}

/** Writes down, beside the answer, that a session is in use; one that fails is written down at the next request. */
function prolongWith(writer: Performer, clock: Clock, logger: Logger) {
  const underWay = new Set<string>();
  return (siteId: string, session: SeenSession): void => {
    if (underWay.has(session.id)) return;
    underWay.add(session.id);
    const cause = systemCause(clock().toISOString());
    writer
      .perform({ action: 'prolongSession', siteId, cause, input: session })
      .catch((error) => logger.warn({ err: error }, 'a session could not be prolonged'))
      .finally(() => underWay.delete(session.id));
  };
}

function serviceSettings(settings: Settings): ServiceSettings {
  const { publicUrl, eventRetentionDays, smtpUrl, rateLimit, emailLimits } = settings;
  return {
    apiUrl: publicUrl + apiPath,
    eventRetentionDays,
    sendsMail: smtpUrl !== undefined,
    defaultRateLimit: rateLimit,
    emailLimits,
  };
}
