import type { Site } from '@gatehouse/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { SiteAccess } from '../domain/access-rules/site-access.ts';
import type { Database } from '../storage/database.ts';
import { type ApiParts, api } from './api/api.ts';
import { documentation } from './api/documentation.ts';
import { apiPrefix } from './api/operation-route.ts';
import { type BaseServerSettings, createBaseServer } from './base-server.ts';
import { type DashboardParts, dashboard } from './dashboard/dashboard.ts';
import { Gate } from './gate/gate.ts';
import { type HealthParts, health } from './health/health.ts';
import { type HooksParts, hooks } from './hooks/hooks.ts';
import type { PageParts, PageSettings } from './shared/page-request.ts';
import { TrustedProxies } from './shared/site-request.ts';
import { VisitedHosts } from './shared/visited-host.ts';
import { sitePages } from './site-pages/site-pages.ts';

export interface ServerSettings
  extends BaseServerSettings,
    Pick<ApiParts, 'version'>,
    Pick<DashboardParts, 'dashboardFolder'>,
    Pick<HealthParts, 'selfCheck'> {
  readonly pages: PageSettings;
}

export interface ServerParts
  extends Omit<ApiParts, 'version'>,
    Omit<PageParts, 'settings'>,
    Pick<HealthParts, 'checkStore'>,
    Pick<HooksParts, 'workspaces'> {
  /** Used to read what the pages show. */
  readonly database: Database;
  readonly siteAccess: SiteAccess;
  /** The hidden site whose members are the operators. */
  readonly tenant: Site;
  readonly logger: FastifyBaseLogger;
}

/** The HTTP server of Gatehouse. Each part is a plugin with its own parsers, request checks and error replies. */
export function createServer(parts: ServerParts, settings: ServerSettings): FastifyInstance {
  const { siteAccess, logger } = parts;
  const { pages, version, dashboardFolder, selfCheck } = settings;
  const proxies = new TrustedProxies(settings.trustedProxies);
  const visitedHosts = new VisitedHosts(proxies, settings.publicUrl);
  const gate = new Gate({
    siteAccess,
    proxies,
    visitedHosts,
    limits: parts.limits,
    wrongTokenLimit: settings.unauthenticatedRateLimit,
    logger,
  });
  const server = createBaseServer({ ...parts, gate, proxies }, settings);
  server.register(api, { prefix: `${apiPrefix}/`, ...parts, version });
  server.register(documentation, parts);
  server.register(sitePages, { ...parts, visitedHosts, settings: pages });
  server.register(dashboard, { ...parts, settings: pages, version, dashboardFolder });
  server.register(hooks, { prefix: '/hooks', ...parts });
  server.register(health, { ...parts, proxies, visitedHosts, selfCheck });
  return server;
}
