import { requireTimestamp } from '../base/refusal.ts';
import type { Routes } from '../routing/route.ts';
import { listEventGroups } from './event-groups.ts';
import { listEvents } from './events.ts';

export const eventRoutes: Routes<'listEvents' | 'listEventGroups'> = {
  listEvents: async ({ db, siteId, cause, eventRetentionDays }, { query }) => ({
    body: await listEvents(db, siteId, withTimestamps(query), eventRetentionDays, cause.at),
  }),

  listEventGroups: async ({ db, siteId, cause, eventRetentionDays }, { query }) => ({
    body: await listEventGroups(db, siteId, withTimestamps(query), eventRetentionDays, cause.at),
  }),
};

function withTimestamps<Query extends { since?: string; until?: string }>({ since, until, ...rest }: Query) {
  return {
    ...rest,
    ...(since === undefined ? {} : { since: requireTimestamp('/since', since) }),
    ...(until === undefined ? {} : { until: requireTimestamp('/until', until) }),
  };
}
