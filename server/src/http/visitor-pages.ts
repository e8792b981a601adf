import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import { noSitePage } from '../pages/pages.ts';
import { memberRealm } from '../sites/realm.ts';
import { addAccount, addSignOut } from './account-pages.ts';
import { addLogin } from './login-pages.ts';
import { addAssets } from './page-assets.ts';
import { frameWithoutSite, headersWithoutSite } from './page-frame.ts';
import {
  enterPage,
  type PageParts,
  pageOptions,
  preparePages,
  sendNotFound,
  sendPage,
} from './page-request.ts';
import type { VisitedHosts } from './visited-host.ts';

const { prefix } = memberRealm;

export interface VisitorPageParts extends PageParts {
  readonly gatekeeper: Gatekeeper;
  readonly visitedHosts: VisitedHosts;
}

/** The pages that visitors meet on a site's own domain: login, account, and what goes with them. */
export function addVisitorPages(server: FastifyInstance, parts: VisitorPageParts): void {
  // Only where no proxy stands in front: somebody tries Gatehouse out.
  server.get('/', async (request, reply) => {
    const site = await parts.gatekeeper.siteOfPages(parts.visitedHosts.hostOf(request.raw));
    return site ? reply.redirect(`${prefix}/account`, 302) : reply.callNotFound();
  });
  server.register(
    async (pages) => {
      preparePages(pages);
      pages.addHook('onRequest', (request, reply) => enter(parts, request, reply));
      addLogin(pages, parts, memberRealm);
      addAccount(pages, parts);
      addSignOut(pages, parts);
      addAssets(pages, parts);
      pages.all('/*', pageOptions, async (request, reply) => sendNotFound(request, reply));
    },
    { prefix },
  );
}

/** Finds the site by the host. Where there is none, one page says so. */
async function enter(
  parts: VisitorPageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const site = await parts.gatekeeper.siteOfPages(parts.visitedHosts.hostOf(request.raw));
  if (site) return enterPage(parts, request, reply, site);
  request.server.requestLog.refused(request, 404, 'site_not_found');
  return sendPage(
    reply.headers(headersWithoutSite),
    noSitePage(frameWithoutSite(request.headers['accept-language'])),
    404,
  );
}
