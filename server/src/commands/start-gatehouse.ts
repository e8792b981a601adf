import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { systemContext } from '../base/change-context.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { installation } from '../base/installation.ts';
import { SiteAccess } from '../domain/access-rules/site-access.ts';
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
import { Draining } from '../http/shared/draining.ts';
import { createRateLimits } from '../http/shared/rate-limit.ts';
import { createSiteServer } from '../http/site-server.ts';
import { dialectOf } from '../storage/database-url.ts';
import { chooseSite, readSiteSource, type SiteSource } from './built-in-site.ts';
import { CommandFailure } from './failure.ts';
import type { OpenedStore, StoreOptions } from './opened-store.ts';
import { recordWith } from './recorded-use.ts';
import { requireSecretKey } from './secret-keys.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';

const builtDashboard = fileURLToPath(new URL('dashboard/dist', installation));

/** A running Gatehouse. */
export interface Gatehouse {
  /** The URL on which it listens, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** The URL on which it serves a site, if it does. */
  readonly siteAddress: string | undefined;
  /** From now on it is not ready, and closes each connection after the next response, but serves every request. */
  drain(): void;
  /** Stops accepting requests, finishes those in progress, and closes everything within ten seconds. */
  stop(): Promise<void>;
}

export interface StartOptions extends StoreOptions {
  readonly clock?: Clock;
  /** The folder of the built dashboard, if not the default. */
  readonly dashboardFolder?: string;
  /** See `ServerSettings`. */
  readonly selfCheck?: SelfCheck;
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
    const { servers, ready, drain, stop } = await createParts(settings, source, options);
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
    return { address: addressOf(server!), siteAddress: site && addressOf(site), drain, stop };
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
    const draining = new Draining();
    const onSeen = recordWith('prolongSession', store.writer, clock, logger);
    const onTokenUsed = recordWith('markTokenUsed', store.writer, clock, logger);
    const parts = {
      admission: new Admission(new Authentication(store.database, store.tenant.id, clock), limits, {
        rateLimit: settings.rateLimit,
        unauthenticatedRateLimit: settings.rateLimitUnauthenticated,
      }),
      limits,
      draining,
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
      checkWrites: () => checkWrites(store, clock),
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
    return { servers, ready: store.ready, drain: () => draining.begin(), stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function checkWrites({ writer, tenant }: OpenedStore, clock: Clock): Promise<void> {
  const changeContext = systemContext(clock().toISOString());
  await writer.perform({ action: 'checkWritable', siteId: tenant.id, changeContext, input: null });
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

/** Loads only the code of the store that is used. */
async function openStore(settings: Settings, clock: Clock, options: StartOptions): Promise<OpenedStore> {
  const open =
    dialectOf(settings.databaseUrl) === 'postgres'
      ? (await import('./server-store.ts')).openServerStore
      : (await import('./embedded-store.ts')).openEmbeddedStore;
  return open(settings, clock, options);
}
