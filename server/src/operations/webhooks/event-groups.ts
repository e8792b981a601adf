import { listEventGroups } from '../../domain/events/event-groups.ts';
import { isFiltered, type OperationHandlers } from '../operation-handler.ts';
import { withTimestamps } from './events.ts';

export const eventGroupHandlers = {
  listEventGroups: {
    readsMany: isFiltered,
    handle: async (view, { query }) => ({
      body: await listEventGroups(view, withTimestamps(query), view.eventRetentionDays),
    }),
  },
} satisfies OperationHandlers;
