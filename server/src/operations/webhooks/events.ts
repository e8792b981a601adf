import { requireTimestamp } from '../../base/api-error.ts';
import { listEvents } from '../../domain/events/events.ts';
import { isFiltered, type OperationHandlers, page } from '../operation-handler.ts';

export const eventHandlers = {
  listEvents: {
    readsMany: isFiltered,
    handle: (view, { query }) => page(listEvents(view, withTimestamps(query), view.eventRetentionDays)),
  },
} satisfies OperationHandlers;

/** Validates the two times of an event filter. @throws {ApiError} `invalid_request` */
export function withTimestamps<Query extends { since?: string; until?: string }>({
  since,
  until,
  ...rest
}: Query) {
  return {
    ...rest,
    ...(since === undefined ? {} : { since: requireTimestamp('/since', since) }),
    ...(until === undefined ? {} : { until: requireTimestamp('/until', until) }),
  };
}
