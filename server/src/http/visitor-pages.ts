import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import { memberRealm } from '../sites/realm.ts';
import { addAccount, addSignOut } from './account-pages.ts';
import { addLogin } from './login-pages.ts';
import { addAssets } from './page-assets.ts';
import { enterPage, type PageParts, pageOptions, preparePages, sendNotFound } from './page-request.ts';
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
    const site = await parts.gatekeeper.siteAt(parts.visitedHosts.hostOf(request.raw));
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

/** Finds the site by its domain. */
async function enter(
  parts: VisitorPageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const site = await parts.gatekeeper.siteAt(parts.visitedHosts.hostOf(request.raw));
  if (site) return enterPage(parts, request, reply, site);
  const text =
    'There is no site at this address. Its domain has to be set in Gatehouse: gatehouse site update <site> --domain …\n';
  request.server.requestLog.refused(request, 404, 'site_not_found');
  return reply.code(404).type('text/plain; charset=utf-8').send(text);
}
