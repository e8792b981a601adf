import { type TObject, type TSchema, Type } from 'typebox';
import { Actor } from '../events/actor.ts';
import { ErasedEventData, type EventType, eventData, isAboutMember } from '../events/event-data.ts';
import { eventTypes, titleOf } from '../events/events.ts';
import { dateTime, exampleIds, integer, nullable, openEnumeration, shape, uuid } from '../shared/schemas.ts';
import { testMessageType } from './webhook-deliveries.ts';

/** The ids in the data of an event, without anything else. */
export type EventIds = Readonly<Record<string, string | readonly string[] | null>>;

/** What a webhook receives. Types may be added, so ignore types that you do not know. */
export type WebhookMessageType = EventType | typeof testMessageType;

const head = {
  id: uuid(
    'The event, also in the header `webhook-id`. The same each time the message is sent.',
    exampleIds.event,
  ),
  timestamp: dateTime('When it happened.'),
  siteId: uuid('The site.', exampleIds.site),
  requestId: nullable(uuid('The request that caused the event; null if there was none.', exampleIds.request)),
};

function messageOf(type: EventType) {
  const data: TSchema = eventData[type];
  return shape(
    titleOf(type).replace(/Event$/, 'Message'),
    `The message of an event of the type \`${type}\`.`,
    {
      id: head.id,
      type: Type.Literal(type, { description: 'What happened.' }),
      timestamp: head.timestamp,
      siteId: head.siteId,
      version: integer('The version of the schema of `data`.', 1, { minimum: 1 }),
      content: Type.Literal('full', { description: 'With all data of the event.' }),
      actor: Actor,
      requestId: head.requestId,
      data: isAboutMember(type)
        ? Type.Union([data, ErasedEventData], { description: 'The details of the event.' })
        : data,
    },
  );
}

/** The message of any event for a webhook with the content `ids`. */
export const EventIdsMessage = shape(
  'EventIdsMessage',
  'The message of any event, for a webhook with the content `ids`.',
  {
    id: head.id,
    type: openEnumeration(eventTypes, 'What happened.', 'member.created'),
    timestamp: head.timestamp,
    siteId: head.siteId,
    version: integer('The version of the event.', 1, { minimum: 1 }),
    content: Type.Literal('ids', { description: '`data` has only ids.' }),
    actor: Actor,
    requestId: head.requestId,
    data: Type.Unsafe<EventIds>({
      type: 'object',
      description: 'The ids in the details of the event, such as `memberId`.',
      additionalProperties: true,
      examples: [{ memberId: exampleIds.member }],
    }),
  },
);

const TestMessage = shape('WebhookTestMessage', 'A test that somebody has requested.', {
  id: uuid('The message, also in the header `webhook-id`.', exampleIds.event),
  type: Type.Literal(testMessageType, { description: 'A test.' }),
  timestamp: dateTime('When the test was requested.'),
  siteId: head.siteId,
  data: Type.Object({}, { description: 'Empty.' }),
});

/** The schemas of the messages, by type. */
export const webhookMessages: Readonly<Record<string, TObject>> = {
  ...Object.fromEntries(eventTypes.map((type) => [type, messageOf(type)] as const)),
  [testMessageType]: TestMessage,
};
