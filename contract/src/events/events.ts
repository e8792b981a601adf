import { type TSchema, Type } from 'typebox';
import { named, Resource } from '../shared/resource.ts';
import {
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  integer,
  maxRawValueLength,
  noControlCharacters,
  nullable,
  shape,
  text,
  uuid,
  variants,
} from '../shared/schemas.ts';
import { Actor, actorTypes } from './actor.ts';
import {
  ErasedEventData,
  type EventData,
  type EventType,
  eventData,
  isAboutMember,
  type MemberEventType,
} from './event-data.ts';

export const eventTypes = Object.keys(eventData) as EventType[];

/** An event of the site. Narrow `type`, then check `erased` before reading personal data. */
export type Event<T extends EventType = EventType> = {
  [Each in T]: {
    id: string;
    type: Each;
    occurredAt: string;
    version: number;
    actor: Actor;
    requestId: string | null;
    ipAddress: string | null;
    data: EventData[Each] | (Each extends MemberEventType ? ErasedEventData : never);
  };
}[T];

/** The schema of the events of one type. */
function eventOf(type: EventType) {
  const data: TSchema = eventData[type];
  return shape(titleOf(type), `An event of the type \`${type}\`.`, {
    id: uuid('The event. Ids increase over time.', exampleIds.event),
    type: Type.Literal(type, { description: 'What happened.' }),
    occurredAt: dateTime('When it happened.'),
    version: integer('The version of the schema of `data`.', 1, { minimum: 1 }),
    actor: Actor,
    requestId: nullable(
      uuid('The request that caused the event; null if there was none.', exampleIds.request),
    ),
    ipAddress: nullable(
      text(
        'The IP address that the request came from; null if there was none, and after the member who caused the ' +
          'event has been deleted.',
        '203.0.113.7',
      ),
    ),
    data: isAboutMember(type)
      ? Type.Union([data, ErasedEventData], {
          description:
            'The details of the event; only `memberId` and `erased: true` after the member has been deleted.',
        })
      : data,
  });
}

/** `member.created` → `MemberCreatedEvent` */
export function titleOf(type: EventType): string {
  const words = type.split(/[.-]/).map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}

export const Event = Type.Unsafe<Event>(
  variants('type', eventTypes.map(eventOf), {
    title: 'Event',
    description:
      'An event of the site; `type` determines its schema. Types may be added, so ignore types that you do not know. ' +
      'When a member is deleted, the data of earlier events about that member is reduced to `memberId` and `erased: ' +
      'true`. When an operator is removed, email address and name are removed from the event of the invitation.',
    growing: true,
  }),
);

/** The filters of a list of events: an event must match all given filters. */
export const eventFilters = {
  type: enumeration(eventTypes, 'Events of this type.'),
  memberId: uuid('Events about this member.', exampleIds.member),
  groupId: uuid('Events about this access group.', exampleIds.group),
  actorType: enumeration(actorTypes, 'Events that were caused by this type of actor.'),
  actorId: text('Events that were caused by the actor with this ID.', exampleIds.key, {
    minLength: 1,
    maxLength: maxRawValueLength,
    pattern: noControlCharacters,
  }),
  since: dateTime('Events at or after this time.', '2026-01-01T00:00:00.000Z'),
  until: dateTime('Events before this time.', '2026-02-01T00:00:00.000Z'),
  requestId: uuid(
    'Events that were caused by this request. If you know the time, also set `since` and `until`, which makes the ' +
      'search faster.',
    exampleIds.request,
  ),
};

const events = new Resource({
  tag: 'Events',
  name: 'event',
  read: 'events:read',
  write: 'events:read',
});

export const eventOperations = named({
  listEvents: events.list({
    path: '/events',
    summary: 'List events',
    description:
      'The events of the site, oldest first by default. An event must match all given filters. To follow the site, ' +
      'store the id of the last event that you have seen and pass it as `after` in the next request.',
    query: {
      ...eventFilters,
      order: defaulted(
        enumeration(
          ['asc', 'desc'],
          'The sort direction; `asc` is oldest first, so that new events come last.',
        ),
        'asc',
      ),
    },
    returns: Event,
  }),
});
