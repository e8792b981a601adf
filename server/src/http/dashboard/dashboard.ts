import { dashboardApiPrefix } from '@gatehouse/contract/dashboard';
import type { FastifyPluginAsync } from 'fastify';
import { operatorPages } from '../../domain/sites/page-addresses.ts';
import { atPrimary } from '../../domain/sites/visited-site.ts';
import { icon } from '../../pages/pages.ts';
import { addLoginPages } from '../shared/login/login-pages.ts';
import { addAssets, cacheHeaders } from '../shared/pages/page-assets.ts';
import { enterPage, preparePages } from '../shared/requests/page-request.ts';
import { dashboardApi } from './api/dashboard-api.ts';
import type { DashboardApiParts } from './api/dashboard-handler.ts';
import { addDashboardApp, type DashboardAppParts } from './dashboard-app.ts';
import { addSetupPages } from './setup-pages.ts';

export interface DashboardParts extends DashboardApiParts, DashboardAppParts {}

/** Everything below `/dashboard`: the operators' login pages, the app, and the API that only the app uses. */
export const dashboard: FastifyPluginAsync<DashboardParts> = async (server, parts) => {
  server.register(operatorsPages, { ...parts, prefix: operatorPages.prefix });
  server.register(dashboardApi, { ...parts, prefix: dashboardApiPrefix });
};

const operatorsPages: FastifyPluginAsync<DashboardParts> = async (pages, parts) => {
  preparePages(pages, parts);
  pages.addHook('onRequest', (request, reply) => enterPage(parts, request, reply, atPrimary(parts.tenant)));
  addLoginPages(pages, parts);
  addSetupPages(pages, parts);
  addAssets(pages, parts);
  pages.get('/icon.svg', async (_, reply) => reply.headers(cacheHeaders).type('image/svg+xml').send(icon));
  addDashboardApp(pages, parts);
};
