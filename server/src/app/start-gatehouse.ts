import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { systemContext } from '../base/change-context.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { installation } from '../base/installation.ts';
import { systemTimers } from '../base/timers.ts';
import { commit, version } from '../base/version.ts';
import { SiteAccess } from '../domain/access-rules/site-access.ts';
import { EventStreams } from '../http/api/event-streams.ts';
import { StoredResponseBudget } from '../http/api/stored-response-budget.ts';
import {
  addressOf,
  closeServer,
  type ListenAddress,
  type ReservedPort,
  reservePort,
} from '../http/connections/listening.ts';
import { SiteChangeStreams } from '../http/dashboard/api/site-change-streams.ts';
import type { SelfCheck } from '../http/health/self-check.ts';
import { createMetricsServer } from '../http/metrics-server.ts';
import { createServer } from '../http/server.ts';
import { Admission } from '../http/shared/credentials/admission.ts';
import { Authentication, type CallerObserver } from '../http/shared/credentials/authentication.ts';
import { Draining } from '../http/shared/draining.ts';
import { createRateLimits, type RateLimits } from '../http/shared/limits/rate-limit.ts';
import { createSiteServer } from '../http/site-server.ts';
import { EventFeeds } from '../runtime/event-feeds.ts';
import { type Monitoring, startMonitoring } from '../runtime/monitoring.ts';
import { dialectOf } from '../storage/database-url.ts';
import { chooseSite, readSiteSource, type SiteSource } from './built-in-site.ts';
import { CommandFailure } from './failure.ts';
import { monitoringSettings, observeService } from './log/service-monitoring.ts';
import { recordKeyUses, recordWith } from './recorded-use.ts';
import { requireSecretKey } from './settings/secret-keys.ts';
import { pageSettings, shownMailServer } from './settings/service-settings.ts';
import type { Settings } from './settings/settings.ts';
import { type OpenedStore, reportTo, type StoreOptions } from './store/opened-store.ts';

const builtDashboard = fileURLToPath(new URL('dashboard/dist', installation));
const builtHelp = fileURLToPath(new URL('docs-site/dist/site', installation));

/** A running Gatehouse. */
export interface Gatehouse {
  /** The URL on which it listens, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** The URL on which it serves a site, if it does. */
  readonly siteAddress: string | undefined;
  /** The URL on which it has the metrics, if that is one of its own. */
  readonly metricsAddress: string | undefined;
  /** From now on it is not ready, and closes each connection after the next response, but serves every request. */
  drain(): void;
  /** Stops accepting requests, finishes those in progress, and closes everything within ten seconds. */
  stop(): Promise<void>;
}

export interface StartOptions extends StoreOptions {
  readonly clock?: Clock;
  /** The folder of the built dashboard, if not the default. */
  readonly dashboardFolder?: string;
  /** The folder of the built documentation, if not the default. */
  readonly helpFolder?: string;
  /** See `ServerSettings`. */
  readonly selfCheck?: SelfCheck;
  /** Whether other workers already listen on the same ports. */
  readonly sharesPorts?: boolean;
  /** Learns which callers of the API were accepted. */
  readonly callers?: CallerObserver;
}

/**
 * Takes the port, brings the store up to date, connects the parts and listens. If the port is in use, nothing in the
 * store changes: another Gatehouse may be running on it.
 */
export async function startGatehouse(settings: Settings, options: StartOptions): Promise<Gatehouse> {
  requireSecretKey(settings);
  const source = readSiteSource(settings);
  const addresses = [
    { host: settings.host, port: settings.port, exclusive: false, choice: undefined },
    ...(source
      ? [{ ...siteAddressOf(settings), exclusive: false, choice: 'for the site with --site-port' }]
      : []),
    ...metricsAddress(settings),
  ];
  const ports: ReservedPort[] = [];
  const release = () => ports.forEach((port) => void port.release());
  try {
    const reserved = options.sharesPorts ? [] : addresses;
    for (const address of reserved) ports.push(await reserve(address, address.choice));
    const { servers, ready, drain, stop } = await createParts(settings, source, options);
    try {
      for (const server of servers) await server.ready();
      await ready;
      release();
      for (const [index, { choice: _, ...address }] of addresses.entries())
        await servers[index]!.listen(address);
    } catch (error) {
      await stop();
      throw error;
    }
    const urls = servers.map(addressOf);
    const siteAddress = source && urls[1];
    return { address: urls[0]!, siteAddress, metricsAddress: urls[source ? 2 : 1], drain, stop };
  } finally {
    release();
  }
}

function siteAddressOf({ siteHost: host, sitePort: port }: Settings): ListenAddress {
  return { host, port };
}

/** Of this process alone: other workers have another port. */
function metricsAddress({ metricsHost: host, metricsPort: port }: Settings) {
  if (port === undefined) return [];
  return [{ host, port, exclusive: true, choice: 'for the metrics with GATEHOUSE_METRICS_PORT' }];
}

/** @param choice how another port is chosen; undefined for that of the service */
function reserve(address: ListenAddress, choice: string | undefined): Promise<ReservedPort> {
  return reservePort(address).catch((error) => {
    if (choice === undefined || error.code !== 'EADDRINUSE') throw error;
    throw new CommandFailure(
      'port_in_use',
      `Port ${address.port} on ${address.host} is in use. Stop the other program, or choose another port ${choice}.`,
    );
  });
}

/** The servers, which do not listen yet, with those of the site and of the metrics last, and everything that they need. */
async function createParts(settings: Settings, source: SiteSource | undefined, options: StartOptions) {
  const { logger, clock = systemClock, dashboardFolder = builtDashboard, helpFolder = builtHelp } = options;
  const monitoring = await startMonitoring(monitoringSettings(settings), 'main', reportTo(logger));
  const store = await openStore(settings, clock, options, monitoring);
  try {
    const slug = source && (await chooseSite(store.database, settings.site));
    const limits = await createRateLimits(
      settings.redisUrl,
      (error) => logger.warn({ err: error }, 'Redis is unavailable; limits are counted in this process'),
      options.group?.limiter,
    );
    const draining = new Draining();
    const admission = createAdmission(settings, store, limits, options);
    const streams = createStreams(store, admission, draining, logger);
    const publicWithoutStore = settings.gateWithoutStore === 'public';
    const onSeen = recordWith('prolongSession', store.writer, clock, logger);
    const onTokenUsed = recordWith('markTokenUsed', store.writer, clock, logger);
    const parts = {
      admission,
      limits,
      draining,
      ...streams,
      storedResponses: new StoredResponseBudget(limits, settings.storedResponsesMebibytes),
      runnerFor: store.runnerFor,
      writer: store.writer,
      database: store.database,
      tenant: store.tenant,
      siteAccess: new SiteAccess(store.database, clock, { publicWithoutStore, onSeen, onTokenUsed }),
      onSeen,
      workspaces: store.workspaces,
      loginProviders: store.loginProviders,
      checkStore: async () => void (await store.database.get(sql`SELECT 1 AS one FROM sites LIMIT 1`)),
      checkWrites: () => checkWrites(store, clock),
      clock,
      logger,
      ...observeService(settings, store, Object.values(streams), clock, monitoring),
    };
    const shared = { ...serverSettings(settings), selfCheck: options.selfCheck };
    const hasOwnAddress = settings.metricsPort !== undefined;
    const metricsToken = hasOwnAddress ? undefined : settings.metricsToken;
    const builtInSite = source && { slug: slug!, isFolder: 'folder' in source };
    const own = { version, commit, dashboardFolder, helpFolder, builtInSite, metricsToken };
    const servers = [createServer(parts, { ...shared, ...own })];
    if (source && slug !== undefined) {
      servers.push(createSiteServer(parts, { ...shared, ...siteLimits(settings), slug, source }));
    }
    if (hasOwnAddress)
      servers.push(createMetricsServer(parts, { ...shared, metricsToken: settings.metricsToken }));
    const stop = async () => {
      await Promise.all(servers.map(closeServer));
      await limits.close();
      await store.close();
      await monitoring.tracing?.close();
    };
    return { servers, ready: store.ready, drain: () => draining.begin(), stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function createAdmission(
  { rateLimit, rateLimitUnauthenticated, requirePasskeys }: Settings,
  { database, tenant, writer }: OpenedStore,
  limits: RateLimits,
  { clock = systemClock, callers, logger }: StartOptions,
): Admission {
  const authentication = new Authentication(database, tenant.id, clock, {
    requiresPasskey: requirePasskeys,
    observer: callers,
    recordUse: recordKeyUses(writer, logger),
  });
  return new Admission(authentication, limits, {
    rateLimit,
    unauthenticatedRateLimit: rateLimitUnauthenticated,
  });
}

function createStreams(
  { database }: OpenedStore,
  admission: Admission,
  draining: Draining,
  logger: StartOptions['logger'],
) {
  const onError = (error: unknown) => logger.warn({ err: error }, 'the events for streams cannot be read');
  const feeds = new EventFeeds({ database, timers: systemTimers, onError });
  const parts = { database, feeds, draining };
  return { streams: new EventStreams({ ...parts, admission }), siteChanges: new SiteChangeStreams(parts) };
}

async function checkWrites({ writer, tenant }: OpenedStore, clock: Clock): Promise<void> {
  const changeContext = systemContext(clock().toISOString());
  await writer.run({ action: 'checkWritable', siteId: tenant.id, changeContext, input: null });
}

function serverSettings(settings: Settings) {
  return {
    publicUrl: settings.publicUrl,
    trustedProxies: settings.trustedProxies,
    unauthenticatedRateLimit: settings.rateLimitUnauthenticated,
    requestTimeoutSeconds: settings.requestTimeoutSeconds,
    pages: pageSettings(settings),
    mailServer: shownMailServer(settings),
  };
}

function siteLimits(settings: Settings) {
  return {
    upstreamTimeoutSeconds: settings.siteUpstreamTimeoutSeconds,
    maxConnectionsOfAddress: settings.siteConnectionsPerAddress,
  };
}

/** Loads only the code of the store that is used. */
async function openStore(
  settings: Settings,
  clock: Clock,
  options: StartOptions,
  monitoring: Monitoring,
): Promise<OpenedStore> {
  const open =
    dialectOf(settings.databaseUrl) === 'postgres'
      ? (await import('./store/server-store.ts')).openServerStore
      : (await import('./store/embedded-store.ts')).openEmbeddedStore;
  return open(settings, clock, options, monitoring);
}
