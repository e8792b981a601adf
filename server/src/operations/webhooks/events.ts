import { requireTimestamp } from '../../base/api-error.ts';
import { listEvents } from '../../domain/events/events.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const eventHandlers = {
  listEvents: async ({ db, siteId, now, eventRetentionDays }, { query }) => ({
    body: await listEvents(db, siteId, withTimestamps(query), eventRetentionDays, now),
  }),
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
