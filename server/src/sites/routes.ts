import type { Routes } from '../routing/route.ts';
import { findSite } from './sites.ts';

export const siteRoutes: Routes<'getSite'> = {
  getSite: async ({ db, siteId }) => ({ body: { data: await findSite(db, siteId) } }),
};
