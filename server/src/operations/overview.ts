import { findOverview } from '../domain/overview/overview.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const overviewHandlers = {
  getOverview: async ({ db, siteId, now, sendsEmail, memberCounts }, { query }) => ({
    body: { data: await findOverview(db, siteId, query.timeZone, sendsEmail, now, memberCounts) },
  }),
} satisfies OperationHandlers;
