import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { withoutAppended } from '../../base/text/appended-characters.ts';
import { findKeySet } from '../../domain/signing-keys/signing-keys.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { accountUrl } from '../../domain/sites/site-addresses.ts';
import { noSitePage } from '../../pages/pages.ts';
import { addLoginPages } from '../shared/login/login-pages.ts';
import { addAssets } from '../shared/pages/page-assets.ts';
import { frameWithoutSite, headersWithoutSite } from '../shared/pages/page-frame.ts';
import { sendNotFoundPage } from '../shared/pages/page-response.ts';
import { type PageParts, viewOf } from '../shared/requests/page-parts.ts';
import { enterPage, preparePages } from '../shared/requests/page-request.ts';
import { addAccount } from './account-pages.ts';
import { addReturnToHostPage, respondAtOtherHost } from './host-pages.ts';
import { addJoinPages } from './joining/join-pages.ts';
import { addLinkAccountPages } from './login-providers/link-account-pages.ts';
import type { LoginProviderParts } from './login-providers/login-provider-parts.ts';
import { addProviderLogin } from './login-providers/provider-login-pages.ts';
import { addPageCodePages } from './page-code-pages.ts';
import { addPasskeyPages } from './passkeys/passkey-pages.ts';
import { type PasskeyRequestParts, passkeyRequests } from './passkeys/passkey-requests.ts';

export interface SitePagesParts extends LoginProviderParts, PasskeyRequestParts {
  /** Where the front page of a host without a site leads, if anywhere. */
  readonly front?: string | undefined;
}

/** The pages for visitors on a site's own domain: login, account and their assets. */
export const sitePages: FastifyPluginAsync<SitePagesParts> = async (server, parts) => {
  server.get(
    '/',
    { onRequest: (request, reply) => parts.admission.admitAddress(request, reply) },
    (request, reply) => redirectToAccount(parts, request, reply),
  );
  server.register(ownPages, { ...parts, prefix: memberPages.prefix });
  server.register(passkeyRequests, { ...parts, prefix: `${memberPages.prefix}/passkeys` });
};

const ownPages: FastifyPluginAsync<SitePagesParts> = async (pages, parts) => {
  preparePages(pages, parts);
  pages.addHook('onRequest', (request, reply) => enter(parts, request, reply));
  addLoginPages(pages, parts);
  addAccount(pages, parts);
  addJoinPages(pages, parts);
  addProviderLogin(pages, parts);
  addLinkAccountPages(pages, parts);
  addReturnToHostPage(pages, parts);
  addPageCodePages(pages, parts);
  addPasskeyPages(pages, parts);
  addAssets(pages, parts);
  addKeySet(pages, parts);
  pages.all('/*', async (request, reply) => {
    const name = withoutAppended((request.params as { '*': string })['*']);
    // The page that emails name, with something appended to its address.
    if (request.method === 'GET' && name === 'account') return reply.redirect(accountUrl(request.site!), 302);
    return sendNotFoundPage(request, reply);
  });
};

/** Gatehouse receives requests for the front page only without a proxy in front, when an operator tries it out. */
async function redirectToAccount(
  { siteOf, front }: SitePagesParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = await siteOf(request.raw);
  if (site) return reply.redirect(`${memberPages.prefix}/account`, 302);
  if (front !== undefined) return reply.redirect(front, 302);
  reply.callNotFound();
  return reply;
}

/** Finds the site by the host. An unknown host gets a page that says so. */
async function enter(
  parts: SitePagesParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const site = await parts.siteOf(request.raw);
  if (site) {
    await enterPage(parts, request, reply, site);
    if (reply.sent || site.visitedAs === 'primary') return undefined;
    return respondAtOtherHost(parts, request, reply);
  }
  request.server.requestLog.rejected(request, 404, 'site_not_found');
  const page = noSitePage(frameWithoutSite(request.headers['accept-language']));
  return reply.code(404).headers(headersWithoutSite).send(page);
}

/** Shorter than the time for which a new key is published before it signs. */
const headers = { 'cache-control': 'public, max-age=60' };

/** The public keys with which programs verify the tokens of a site: a JSON Web Key Set (RFC 7517, section 5). */
function addKeySet(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/jwks.json', async (request, reply) => {
    const keySet = await findKeySet(viewOf(parts, request));
    return reply.headers(headers).type('application/jwk-set+json').send(JSON.stringify(keySet));
  });
}
