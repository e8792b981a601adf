import type { Routes } from '../routing/route.ts';
import { findSite, updateSite } from './sites.ts';

export const siteRoutes: Routes<'getSite' | 'updateSite'> = {
  getSite: async ({ db, siteId }) => ({ body: { data: await findSite(db, siteId) } }),

  updateSite: async ({ db, siteId, cause, requireMatch }, { body }) => ({
    body: { data: await updateSite(db, siteId, body, cause, requireMatch) },
  }),
};
