import type { Routes } from '../routing/route.ts';
import { findOverview } from './overview.ts';

export const overviewRoutes: Routes<'getOverview'> = {
  getOverview: async ({ db, siteId, cause, sendsMail }, { query }) => ({
    body: { data: await findOverview(db, siteId, query.timeZone, sendsMail, cause.at) },
  }),
};
