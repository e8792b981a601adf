import type { Site } from '@gatehouse/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { SiteAccess } from '../domain/access-rules/site-access.ts';
import { type BaseServerSettings, createBaseServer } from './base-server.ts';
import { BuiltInSite } from './built-in-site/built-in-site.ts';
import type { SiteContent } from './built-in-site/content.ts';
import { Folder } from './built-in-site/folder.ts';
import { ServedSite } from './built-in-site/served-site.ts';
import { Upstream } from './built-in-site/upstream.ts';
import { VisitorConnections } from './built-in-site/visitor-connections.ts';
import { addSelfCheck, type SelfCheck } from './health/self-check.ts';
import type { HooksParts } from './hooks/hooks.ts';
import type { Draining } from './shared/draining.ts';
import { ErrorPages } from './shared/errors/error-pages.ts';
import { createIdentityTokens } from './shared/identity/identity-tokens.ts';
import { limitArrival } from './shared/observe/arrival.ts';
import { DeniedAccessLog } from './shared/observe/denied-access-log.ts';
import { type RequestMonitoring, RequestObserver } from './shared/observe/request-observer.ts';
import type { PageParts, PageSettings } from './shared/requests/page-parts.ts';
import { TrustedProxies } from './shared/requests/site-request.ts';
import { VisitedHosts } from './shared/requests/visited-host.ts';
import { type SitePagesParts, sitePages } from './site-pages/site-pages.ts';

/** An upload to the program of a site may take this long, as long as it is not too slow. */
const maxUploadSeconds = 3_600;

export interface SiteServerSettings
  extends Omit<BaseServerSettings, 'publicUrl' | 'idleSeconds' | 'maxUploadSeconds'> {
  readonly publicUrl: string;
  readonly pages: PageSettings;
  readonly selfCheck: SelfCheck | undefined;
  readonly slug: string;
  /** The folder of the site, without symbolic links, or the address of its program. */
  readonly source: { readonly folder: string } | { readonly upstream: string };
  readonly upstreamTimeoutSeconds: number;
  /** How many requests and WebSockets one client address may have open; 0 for no limit. */
  readonly maxConnectionsOfAddress: number;
}

export interface SiteServerParts
  extends Omit<PageParts, 'settings'>,
    Pick<HooksParts, 'workspaces'>,
    Pick<SitePagesParts, 'loginProviders'> {
  readonly siteAccess: SiteAccess;
  readonly draining: Draining;
  readonly logger: FastifyBaseLogger;
  readonly tenant: Site;
  readonly monitoring: RequestMonitoring;
}

const alwaysHtml = () => true;

/**
 * The server of one site, on a port of its own: the pages of the site behind the gate, and Gatehouse's pages for its
 * members. Nothing of the API or the dashboard is on it, so that the site never shares an origin with them.
 */
export function createSiteServer(parts: SiteServerParts, settings: SiteServerSettings): FastifyInstance {
  const { siteAccess, logger } = parts;
  const {
    publicUrl,
    pages,
    selfCheck,
    slug,
    source,
    upstreamTimeoutSeconds,
    maxConnectionsOfAddress,
    ...rest
  } = settings;
  const proxies = new TrustedProxies(settings.trustedProxies);
  const visitedHosts = new VisitedHosts(proxies, publicUrl);
  const served = new ServedSite(slug, { siteAccess, visitedHosts, proxies });
  const identityTokens = createIdentityTokens(parts);
  const isFolder = 'folder' in source;
  const content: SiteContent = isFolder
    ? new Folder(source.folder)
    : new Upstream({ url: source.upstream, timeoutSeconds: upstreamTimeoutSeconds }, proxies, logger);
  const observer = new RequestObserver(parts.monitoring, logger);
  const deniedAccess = new DeniedAccessLog(logger);
  const errorPages = new ErrorPages(alwaysHtml, () => siteAccess.siteNamed(slug));
  const server = createBaseServer(
    {
      ...parts,
      first: new BuiltInSite({
        served,
        content,
        siteAccess,
        proxies,
        identityTokens,
        logger,
        observer,
        deniedAccess,
        limits: parts.limits,
        wrongTokenLimit: settings.unauthenticatedRateLimit,
        known: parts.admission.known,
        requestTimeoutSeconds: settings.requestTimeoutSeconds,
        connections: new VisitorConnections(maxConnectionsOfAddress),
      }),
      observer,
      proxies,
      errorPages,
    },
    isFolder ? rest : { ...rest, maxUploadSeconds, idleSeconds: upstreamTimeoutSeconds + 5 },
  );
  server.addHook('preClose', async () => content.close());
  server.addHook('onClose', async () => deniedAccess.close());
  // Gatehouse's own pages have their own limit.
  server.addHook('onRequest', async ({ raw }) => void limitArrival(raw, settings.requestTimeoutSeconds));
  server.register(sitePages, { ...parts, settings: pages, siteOf: (request) => served.at(request) });
  if (selfCheck) {
    server.register(async (pages) => {
      pages.addHook('onRequest', async (_, reply) => parts.admission.admitUncounted(reply));
      addSelfCheck(pages, { ...selfCheck, proxies, visitedHosts, siteAccess, isBuiltIn: true });
    });
  }
  return server;
}
