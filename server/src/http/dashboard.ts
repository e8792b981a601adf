import type { Site } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { icon, passkeyScript } from '../pages/pages.ts';
import { realmOf } from '../sites/realm.ts';
import { addSignOut } from './account-pages.ts';
import { addDashboardApi, type DashboardApiParts } from './dashboard-api.ts';
import { addDashboardApp, type DashboardAppParts } from './dashboard-app.ts';
import { addLogin } from './login-pages.ts';
import { addAssets, addScript, kept } from './page-assets.ts';
import { pageHeaders } from './page-frame.ts';
import { enterPage, pageOptions, preparePages } from './page-request.ts';
import { addWelcome } from './welcome-pages.ts';

const policy = 'content-security-policy';

export interface DashboardParts extends DashboardApiParts, DashboardAppParts {
  /** The hidden site whose members are the operators. */
  readonly realm: Site;
}

/** Everything below `/dashboard`: where operators log in, the app itself, and what it asks for beside the API. */
export function addDashboard(server: FastifyInstance, parts: DashboardParts): void {
  const { realm } = parts;
  const { prefix } = realmOf(realm);
  server.register(
    async (pages) => {
      preparePages(pages);
      pages.addHook('onRequest', async (request, reply) => {
        const answered = await enterPage(parts, request, reply, realm);
        // The way in with a passkey asks this server.
        if (!answered) reply.header('content-security-policy', `${pageHeaders[policy]}; connect-src 'self'`);
        return answered;
      });
      addLogin(pages, parts, realmOf(realm));
      addWelcome(pages, parts, realmOf(realm));
      addSignOut(pages, parts);
      addAssets(pages, parts);
      addScript(pages, passkeyScript);
      pages.get('/icon.svg', pageOptions, async (_, reply) =>
        reply.headers(kept).type('image/svg+xml').send(icon),
      );
      addDashboardApp(pages, parts, realmOf(realm));
    },
    { prefix },
  );
  server.register(
    async (api) => {
      api.addHook('onRequest', async (request) => {
        request.site = realm;
      });
      addDashboardApi(api, parts);
    },
    { prefix: `${prefix}/api` },
  );
}
