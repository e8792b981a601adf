import { requireTimestamp } from '../base/refusal.ts';
import type { Routes } from '../routing/route.ts';
import { listEvents } from './events.ts';

export const eventRoutes: Routes<'listEvents'> = {
  listEvents: async ({ db, siteId, cause, eventRetentionDays }, { query }) => {
    const { since, until, ...rest } = query;
    const filter = {
      ...rest,
      ...(since === undefined ? {} : { since: requireTimestamp('/since', since) }),
      ...(until === undefined ? {} : { until: requireTimestamp('/until', until) }),
    };
    return { body: await listEvents(db, siteId, filter, eventRetentionDays, cause.at) };
  },
};
