import { dashboardApiPrefix } from '@gatehouse/contract/dashboard';
import type { FastifyPluginAsync } from 'fastify';
import { operatorPages } from '../../domain/sites/page-addresses.ts';
import { atPrimary } from '../../domain/sites/visited-site.ts';
import { icon, passkeyScript } from '../../pages/pages.ts';
import { addLoginPages } from '../shared/login/login-pages.ts';
import { addAssets, addScript, cacheHeaders } from '../shared/pages/page-assets.ts';
import { pageHeaders } from '../shared/pages/page-frame.ts';
import { enterPage, preparePages } from '../shared/requests/page-request.ts';
import { dashboardApi } from './api/dashboard-api.ts';
import type { DashboardApiParts } from './api/dashboard-handler.ts';
import { addDashboardApp, type DashboardAppParts } from './dashboard-app.ts';
import { addSetupPages } from './setup-pages.ts';

const policy = 'content-security-policy';

export interface DashboardParts extends DashboardApiParts, DashboardAppParts {}

/** Everything below `/dashboard`: the operators' login pages, the app, and the API that only the app uses. */
export const dashboard: FastifyPluginAsync<DashboardParts> = async (server, parts) => {
  server.register(operatorsPages, { ...parts, prefix: operatorPages.prefix });
  server.register(dashboardApi, { ...parts, prefix: dashboardApiPrefix });
};

const operatorsPages: FastifyPluginAsync<DashboardParts> = async (pages, parts) => {
  preparePages(pages, parts);
  pages.addHook('onRequest', async (request, reply) => {
    await enterPage(parts, request, reply, atPrimary(parts.tenant));
    // The login with a passkey sends requests to this server.
    if (!reply.sent) reply.header('content-security-policy', `${pageHeaders[policy]}; connect-src 'self'`);
  });
  addLoginPages(pages, parts);
  addSetupPages(pages, parts);
  addAssets(pages, parts);
  addScript(pages, passkeyScript);
  pages.get('/icon.svg', async (_, reply) => reply.headers(cacheHeaders).type('image/svg+xml').send(icon));
  addDashboardApp(pages, parts);
};
