import type { Event, EventData, EventType } from '@gatehouse/contract';
import type { MemberCounts } from './site-counts.ts';

/** An event as the domain reports it; `Change.writeEvents` adds the id, the position and the change context. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly data: EventData[Type];
    readonly memberId?: string;
    readonly groupId?: string;
    /** By how much it changes the numbers of members; omitted if it changes none. */
    readonly counts?: MemberCounts;
  };
}[EventType];

export interface FieldChange {
  field: string;
  from: string | boolean | null;
  to: string | boolean | null;
}

/** The fields that differ, with their old and new values. */
export function changesBetween<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): FieldChange[] {
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      field,
      from: before[field] as FieldChange['from'],
      to: after[field] as FieldChange['to'],
    }));
}

const eventVersion = 1;

export interface EventRow {
  id: string;
  type: string;
  occurred_at: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
  request_id: string | null;
  ip_address: string | null;
  data: string;
}

export function toEvent(row: EventRow): Event {
  const event: Omit<Event, 'type'> & { type: string } = {
    id: row.id,
    type: row.type,
    occurredAt: row.occurred_at,
    version: eventVersion,
    actor: { type: row.actor_type as Event['actor']['type'], id: row.actor_id, name: row.actor_name },
    requestId: row.request_id,
    ipAddress: row.ip_address,
    data: JSON.parse(row.data),
  };
  // The type and the data were stored together.
  return event as Event;
}
