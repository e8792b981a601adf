import { listEventGroups } from '../../domain/events/event-groups.ts';
import { isFiltered, type OperationHandlers, page } from '../operation-handler.ts';
import { withTimestamps } from './events.ts';

export const eventGroupHandlers = {
  listEventGroups: {
    readsMany: isFiltered,
    handle: (view, { query }) => page(listEventGroups(view, withTimestamps(query), view.eventRetentionDays)),
  },
} satisfies OperationHandlers;
