import type { TObject, TSchema } from 'typebox';
import { ErasedEventData, type EventType, eventData, isAboutMember } from '../events/event-data.ts';
import { Actor, eventTypes, titleOf } from '../events/events.ts';
import { dateTime, exampleIds, nullable, openEnumeration, uuid } from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
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
  return Type.Object(
    {
      id: head.id,
      type: Type.Literal(type, { description: 'What happened.' }),
      timestamp: head.timestamp,
      siteId: head.siteId,
      version: Type.Integer({
        minimum: 1,
        description: 'The version of the schema of `data`.',
        examples: [1],
      }),
      content: Type.Literal('full', { description: 'With everything that the event tells.' }),
      actor: Actor,
      requestId: head.requestId,
      data: isAboutMember(type)
        ? Type.Union([data, ErasedEventData], { description: 'The details of the event.' })
        : data,
    },
    {
      title: titleOf(type).replace(/Event$/, 'Message'),
      description: `The message of an event of the type \`${type}\`.`,
    },
  );
}

/** The message of any event for a webhook with the content `ids`. */
export const EventIdsMessage = Type.Object(
  {
    id: head.id,
    type: openEnumeration(eventTypes, { description: 'What happened.', examples: ['member.created'] }),
    timestamp: head.timestamp,
    siteId: head.siteId,
    version: Type.Integer({ minimum: 1, description: 'The version of the event.', examples: [1] }),
    content: Type.Literal('ids', { description: 'Without anything but ids.' }),
    actor: Actor,
    requestId: head.requestId,
    data: Type.Unsafe<EventIds>({
      type: 'object',
      description: 'The ids in the details of the event, such as `memberId`.',
      additionalProperties: true,
      examples: [{ memberId: exampleIds.member }],
    }),
  },
  {
    title: 'EventIdsMessage',
    description: 'The message of any event, for a webhook with the content `ids`.',
  },
);

const TestMessage = Type.Object(
  {
    id: uuid('The message, also in the header `webhook-id`.', exampleIds.event),
    type: Type.Literal(testMessageType, { description: 'A test.' }),
    timestamp: dateTime('When the test was requested.'),
    siteId: head.siteId,
    data: Type.Object({}, { description: 'Empty.' }),
  },
  { title: 'WebhookTestMessage', description: 'A test, which somebody has requested.' },
);

/** The schemas of the messages, by type. */
export const webhookMessages: Readonly<Record<string, TObject>> = {
  ...Object.fromEntries(eventTypes.map((type) => [type, messageOf(type)] as const)),
  [testMessageType]: TestMessage,
};
