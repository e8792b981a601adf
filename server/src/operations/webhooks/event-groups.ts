import { listEventGroups } from '../../domain/events/event-groups.ts';
import type { OperationHandlers } from '../operation-handler.ts';
import { withTimestamps } from './events.ts';

export const eventGroupHandlers = {
  listEventGroups: async ({ db, siteId, now, eventRetentionDays }, { query }) => ({
    body: await listEventGroups(db, siteId, withTimestamps(query), eventRetentionDays, now),
  }),
} satisfies OperationHandlers;
