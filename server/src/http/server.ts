import type { Site } from '@gatehouse/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { SiteAccess } from '../domain/access-rules/site-access.ts';
import { operatorPages } from '../domain/sites/page-addresses.ts';
import type { VisitedSite } from '../domain/sites/visited-site.ts';
import type { Database } from '../storage/database.ts';
import { type ApiParts, api } from './api/api.ts';
import { documentation } from './api/documentation.ts';
import { apiPrefix } from './api/operation-route.ts';
import { type BaseServerSettings, createBaseServer } from './base-server.ts';
import type { BuiltInSite, MailServer } from './dashboard/api/dashboard-handler.ts';
import { type DashboardParts, dashboard } from './dashboard/dashboard.ts';
import { Gate } from './gate/gate.ts';
import { type HealthParts, health } from './health/health.ts';
import { type HelpParts, help } from './help/help.ts';
import { type HooksParts, hooks } from './hooks/hooks.ts';
import { type MetricsParts, metrics } from './metrics/metrics.ts';
import { ErrorPages, isForPage } from './shared/errors/error-pages.ts';
import { createIdentityTokens } from './shared/identity/identity-tokens.ts';
import { DeniedAccessLog } from './shared/observe/denied-access-log.ts';
import { type RequestMonitoring, RequestObserver } from './shared/observe/request-observer.ts';
import type { PageParts, PageSettings } from './shared/requests/page-parts.ts';
import { TrustedProxies } from './shared/requests/site-request.ts';
import { VisitedHosts } from './shared/requests/visited-host.ts';
import { type SitePagesParts, sitePages } from './site-pages/site-pages.ts';

export interface ServerSettings
  extends BaseServerSettings,
    Pick<ApiParts, 'version'>,
    Pick<DashboardParts, 'dashboardFolder'>,
    Pick<HelpParts, 'helpFolder'>,
    Pick<HealthParts, 'selfCheck'> {
  readonly publicUrl: string;
  readonly commit: string | undefined;
  readonly pages: PageSettings;
  /** The site that this process serves at another port: this server then has its pages only for a proxy. */
  readonly builtInSite?: BuiltInSite | undefined;
  /** Undefined if none is configured. */
  readonly mailServer?: MailServer | undefined;
  /** With it, `/metrics` is on this server. */
  readonly metricsToken?: string | undefined;
}

export interface ServerParts
  extends Omit<ApiParts, 'version'>,
    Omit<PageParts, 'settings'>,
    Pick<HealthParts, 'checkStore' | 'checkWrites' | 'draining'>,
    Pick<HooksParts, 'workspaces'>,
    Pick<SitePagesParts, 'loginProviders'>,
    Pick<DashboardParts, 'siteChanges'> {
  /** Used to read what the pages show. */
  readonly database: Database;
  readonly siteAccess: SiteAccess;
  /** The hidden site whose members are the operators. */
  readonly tenant: Site;
  readonly logger: FastifyBaseLogger;
  /** Undefined to record nothing. */
  readonly monitoring?: RequestMonitoring;
  readonly collect?: MetricsParts['collect'];
}

/** The HTTP server of Gatehouse. Each part is a plugin with its own parsers, request checks and error responses. */
export function createServer(parts: ServerParts, settings: ServerSettings): FastifyInstance {
  const { siteAccess, logger, monitoring = { slowRequestMilliseconds: 0 }, collect } = parts;
  const { pages, version, commit, dashboardFolder, helpFolder, selfCheck, builtInSite, metricsToken } =
    settings;
  const observer = new RequestObserver(monitoring, logger);
  const proxies = new TrustedProxies(settings.trustedProxies);
  const visitedHosts = new VisitedHosts(proxies, settings.publicUrl);
  const identityTokens = createIdentityTokens(parts);
  const { limits } = parts;
  const wrongTokenLimit = settings.unauthenticatedRateLimit;
  const deniedAccess = new DeniedAccessLog(logger);
  const gate = new Gate({
    siteAccess,
    proxies,
    visitedHosts,
    logger,
    identityTokens,
    observer,
    deniedAccess,
    limits,
    wrongTokenLimit,
    known: parts.admission.known,
  });
  const errorPages = new ErrorPages((request) => isForPage(request, (address) => proxies.trusts(address)));
  const server = createBaseServer({ ...parts, first: gate, observer, proxies, errorPages }, settings);
  server.addHook('onClose', async () => deniedAccess.close());
  server.register(api, { prefix: `${apiPrefix}/`, ...parts, version });
  server.register(documentation, parts);
  server.register(help, { prefix: '/help', ...parts, helpFolder });
  server.register(sitePages, {
    ...parts,
    settings: pages,
    siteOf: (request) => {
      const host = visitedHosts.hostOf(request);
      // A proxy of the site has it at an origin of its own.
      if (builtInSite && proxies.namesHost(request)) return siteAccess.siteAt(host);
      return siteOfPages(siteAccess, host, builtInSite?.slug);
    },
    ...(builtInSite !== undefined && { front: operatorPages.front }),
  });
  const { mailServer } = settings;
  const ofDashboard = { settings: pages, version, commit, dashboardFolder, builtInSite, mailServer };
  server.register(dashboard, { ...parts, ...ofDashboard });
  server.register(hooks, { prefix: '/hooks', ...parts });
  server.register(health, { ...parts, proxies, visitedHosts, selfCheck });
  if (collect && metricsToken !== undefined) {
    server.register(metrics, { admission: parts.admission, collect, token: metricsToken });
  }
  return server;
}

/** The site whose pages this server has at a host. */
async function siteOfPages(
  siteAccess: SiteAccess,
  host: string | undefined,
  builtInSite: string | undefined,
): Promise<VisitedSite | undefined> {
  if (host === undefined || builtInSite === undefined) return siteAccess.siteOfPages(host);
  const site = await siteAccess.siteAt(host);
  return site?.slug === builtInSite ? undefined : site;
}
