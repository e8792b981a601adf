import Type, { type Static, type TSchema } from 'typebox';
import {
  ErasedEventData,
  type EventData,
  type EventType,
  eventData,
  isAboutMember,
  type MemberEventType,
} from './event-data.ts';
import type { Operation } from './operation.ts';
import {
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  longestRawValue,
  noControlCharacters,
  nothing,
  nullable,
  openEnumeration,
  page,
  pageParameters,
  uuid,
  variants,
} from './schemas.ts';

export const eventTypes = Object.keys(eventData) as EventType[];

export const actorTypes = ['key', 'operator', 'member', 'source', 'system'] as const;
export type ActorType = (typeof actorTypes)[number];

export const Actor = Type.Object(
  {
    type: openEnumeration(actorTypes, {
      description:
        '`key`: a program with an API key. `operator`: a person in the dashboard or on the command line. `member`: the ' +
        'member, through a login link. `source`: an external workspace. `system`: Gatehouse itself.',
      examples: ['key'],
    }),
    id: nullable(
      Type.String({
        description: 'The id of the actor, where it has one.',
        examples: [exampleIds.key],
      }),
    ),
    name: nullable(
      Type.String({
        description: 'The name of the actor at the time, where it has one.',
        examples: ['Shop'],
      }),
    ),
  },
  { title: 'Actor', description: 'Who or what made it happen.' },
);
/** Who or what made an event happen. */
export type Actor = Static<typeof Actor>;

/** Something that has happened on the site. Narrow `type`, then look for `erased` before reading personal data. */
export type Event<T extends EventType = EventType> = {
  [Each in T]: {
    id: string;
    type: Each;
    occurredAt: string;
    version: number;
    actor: Actor;
    requestId: string | null;
    clientAddress: string | null;
    data: EventData[Each] | (Each extends MemberEventType ? ErasedEventData : never);
  };
}[T];

/** The shape of the events of one type. */
function eventOf(type: EventType) {
  const data: TSchema = eventData[type];
  return Type.Object(
    {
      id: uuid('The event. Ids grow with time.', exampleIds.event),
      type: Type.Literal(type, { description: 'What happened.' }),
      occurredAt: dateTime('When it happened.'),
      version: Type.Integer({
        minimum: 1,
        description: 'The version of the shape of `data`.',
        examples: [1],
      }),
      actor: Actor,
      requestId: nullable(
        uuid('The request that made it happen; null where there was none.', exampleIds.request),
      ),
      clientAddress: nullable(
        Type.String({
          description:
            'The address that the request came from; null where there was none, and once the member who made it happen ' +
            'has been deleted.',
          examples: ['203.0.113.7'],
        }),
      ),
      data: isAboutMember(type)
        ? Type.Union([data, ErasedEventData], {
            description: 'What happened in detail; nothing but `erased: true` once the member was deleted.',
          })
        : data,
    },
    { title: titleOf(type), description: `An event of the type \`${type}\`.` },
  );
}

/** `member.created` → `MemberCreatedEvent` */
function titleOf(type: EventType): string {
  const words = type.split(/[.-]/).map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}

export const Event = Type.Unsafe<Event>(
  variants('type', eventTypes.map(eventOf), {
    title: 'Event',
    description:
      'Something that has happened on the site: `type` says which of the shapes it has. Types may be added, so pass over ' +
      'one you do not know. Once a member is deleted, the data of the earlier events about that member is reduced to ' +
      '`memberId` and `erased: true`; once an operator is removed, the invitation tells neither address nor name.',
    growing: true,
  }),
);

/** Which events a list has: all filters that are given must match. */
export const eventFilters = {
  type: Type.Optional(enumeration(eventTypes, { description: 'Events of this type.' })),
  memberId: Type.Optional(uuid('Events about this member.', exampleIds.member)),
  groupId: Type.Optional(uuid('Events about this access group.', exampleIds.group)),
  actorType: Type.Optional(
    enumeration(actorTypes, { description: 'Events that this kind of actor made happen.' }),
  ),
  actorId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestRawValue,
      pattern: noControlCharacters,
      description: 'Events that the actor with this id made happen.',
      examples: [exampleIds.key],
    }),
  ),
  since: Type.Optional(dateTime('Events at or after this time.', '2026-01-01T00:00:00.000Z')),
  until: Type.Optional(dateTime('Events before this time.', '2026-02-01T00:00:00.000Z')),
  requestId: Type.Optional(
    uuid(
      'Events that this request made happen. Give `since` and `until` as well where you know the time: the search is ' +
        'then a short one.',
      exampleIds.request,
    ),
  ),
};

export const listEvents = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'What has happened on the site, oldest first unless `order` says otherwise. All filters that are given must match. To ' +
    'follow the site, keep the id of the last event you have seen and ask again with it as `after`.',
  permission: 'events:read',
  params: nothing,
  query: Type.Object(
    {
      ...pageParameters,
      ...eventFilters,
      order: defaulted(
        enumeration(['asc', 'desc'], {
          default: 'asc',
          description: 'The direction; `asc` is oldest first, in which new events come last.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: null,
  success: { status: 200, description: 'A page of events.', body: page(Event), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;
