import { type Static, Type } from 'typebox';
import { eventTypes } from '../events/events.ts';
import { webhookDeliveryDays } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  defaulted,
  enumeration,
  exampleIds,
  integer,
  nullable,
  openEnumeration,
  orNull,
  shape,
  text,
  timeZoneOfDays,
  uuid,
} from '../shared/schemas.ts';
import { readsEvents } from './webhooks.ts';

export const deliveryStatuses = ['waiting', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryTriggers = ['event', 'replay', 'test'] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];

/** The type of the message that a test sends. It is no event. */
export const testMessageType = 'webhook.test';

export const DeliveryError = shape('DeliveryError', 'Why an attempt failed.', {
  code: openEnumeration(
    [
      'status',
      'name_not_found',
      'connection_failed',
      'tls_failed',
      'timed_out',
      'invalid_response',
      'url_not_allowed',
      'address_not_allowed',
      'redirect_not_allowed',
      'event_deleted',
      'disabled',
    ] as const,
    'What happened, for programs. `status`: the status was not from 200 to 299. `event_deleted`: the event is ' +
      'older than events are retained. `disabled`: the webhook was disabled before.',
    'status',
  ),
  message: text(
    'What happened and what to do next, for people.',
    'The receiver answered 500. Its log may say why.',
  ),
});
export type DeliveryError = Static<typeof DeliveryError>;

/** What events can be about. */
export const eventObjects = [
  'member',
  'access_group',
  'source',
  'webhook',
  'invitation',
  'join_request',
  'page_code',
  'login_provider',
  'api_key',
  'operator',
  'signing_key',
  'site',
] as const;
export type EventObject = (typeof eventObjects)[number];

export const DeliveryObject = shape(
  'DeliveryObject',
  'What the event is about. Null for a test, for an event about nothing in particular, if the event is no longer stored, ' +
    'and if the caller lacks `events:read`.',
  {
    type: openEnumeration(eventObjects, 'What it is.', 'member'),
    id: uuid('Its id.', exampleIds.member),
    name: nullable(
      text(
        'Its name: of a member the display name, or the email address without one. Null if it has none or was deleted, ' +
          'and for callers who may not read such objects.',
        'Ada Lovelace',
      ),
    ),
  },
);
export type DeliveryObject = Static<typeof DeliveryObject>;

export const WebhookDelivery = shape('WebhookDelivery', 'One attempt to send a message to a webhook.', {
  id: uuid('The attempt.', exampleIds.delivery),
  webhookId: uuid('The webhook.', exampleIds.webhook),
  trigger: openEnumeration(
    deliveryTriggers,
    '`event`: an event that has happened. `replay`: an event that is sent again on request. `test`: a test.',
    'event',
  ),
  messageId: uuid(
    'The `webhook-id` of the message: the id of the event, the same in each attempt.',
    exampleIds.event,
  ),
  type: openEnumeration(
    [...eventTypes, testMessageType],
    `The type of the event; \`${testMessageType}\` for a test.`,
    'member.created',
  ),
  object: orNull(DeliveryObject),
  attempt: integer('The number of the attempt to send this message.', 1, { minimum: 1 }),
  status: openEnumeration(
    deliveryStatuses,
    '`waiting`: it is made at `dueAt`. `succeeded`: the status of the response was from 200 to 299. `failed`: `error` ' +
      'says why.',
    'failed',
  ),
  dueAt: nullable(dateTime('When a waiting attempt is made; null for others.')),
  startedAt: nullable(dateTime('When it was made; null if it was not.')),
  durationMilliseconds: nullable(
    count('How long it took until the response or the failure; null if nothing was sent.', 87),
  ),
  responseStatus: nullable(integer('The status of the response; null if there was none.', 500)),
  responseBody: nullable(
    text('The first KiB of the response; null if there was none.', '{"error":"database is locked"}'),
  ),
  error: orNull(DeliveryError),
  nextAttemptAt: nullable(
    dateTime(
      'When the message is sent again after a failure; null if it is not.',
      '2026-01-31T09:35:00.000Z',
    ),
  ),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryWithRequest = shape(
  'WebhookDeliveryWithRequest',
  'An attempt with the body of its request.',
  {
    ...WebhookDelivery.properties,
    requestBody: nullable(
      text(
        'What is sent, as JSON. Personal data that was deleted since is missing in it; null if the event is no ' +
          'longer stored, or if the key lacks `events:read`.',
        `{"id":"${exampleIds.event}","type":"member.created","timestamp":"2026-01-31T09:30:00.000Z", …}`,
      ),
    ),
  },
);
export type WebhookDeliveryWithRequest = Static<typeof WebhookDeliveryWithRequest>;

export const WebhookDeliveryCounts = shape(
  'WebhookDeliveryCounts',
  'How many attempts to send events to a webhook have succeeded and failed, by day. Tests are not counted.',
  {
    days: Type.Array(
      Type.Object(
        {
          date: text('The day, in the requested time zone.', '2026-01-31'),
          succeeded: count('Attempts that succeeded on that day.', 118),
          failed: count('Attempts that failed on that day.', 2),
        },
        { title: 'WebhookDeliveryDay' },
      ),
      { description: `The last ${webhookDeliveryDays} days, oldest first; the last one is today.` },
    ),
  },
);
export type WebhookDeliveryCounts = Static<typeof WebhookDeliveryCounts>;

const deliveries = new Resource({
  tag: 'Webhooks',
  name: 'attempt',
  read: 'webhooks:read',
  write: 'webhooks:write',
});

export const webhookDeliveryOperations = named({
  listWebhookDeliveries: deliveries.list({
    path: '/webhooks/{webhookId}/deliveries',
    summary: 'List the deliveries of a webhook',
    description: `The attempts of the last ${webhookDeliveryDays} days and those that wait, newest first.`,
    query: {
      status: enumeration(deliveryStatuses, 'Attempts with this status.'),
      type: enumeration(
        [...eventTypes, testMessageType],
        `Attempts to send events of this type; tests with \`${testMessageType}\`.`,
      ),
      messageId: uuid('Attempts to send this message.', exampleIds.event),
    },
    returns: WebhookDelivery,
  }),
  getWebhookDeliveryCounts: deliveries.get({
    path: '/webhooks/{webhookId}/delivery-counts',
    summary: 'Count the deliveries of a webhook',
    description: `How many attempts of the last ${webhookDeliveryDays} days have succeeded and failed, by day.`,
    query: { timeZone: defaulted(timeZoneOfDays, 'UTC') },
    returns: WebhookDeliveryCounts,
    success: 'The numbers.',
    headers: [],
  }),
  getWebhookDelivery: deliveries.get({
    path: '/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'Get a delivery of a webhook',
    description: 'One attempt, with the body of its request.',
    returns: WebhookDeliveryWithRequest,
  }),
  replayWebhookDelivery: deliveries.create({
    path: '/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    summary: 'Send a message again',
    description: 'Sends the message of an attempt once more, as soon as possible. It keeps its id.',
    furtherPermissions: readsEvents,
    returns: WebhookDelivery,
    success: 'The waiting attempt.',
    headers: ['Location'],
    errors: ['webhook_disabled'],
  }),
  testWebhook: deliveries.create({
    path: '/webhooks/{webhookId}/test',
    summary: 'Test a webhook',
    description:
      `Sends a message of the type \`${testMessageType}\` as soon as possible, once. The response does not wait for it: ` +
      'its result is in the delivery.',
    returns: WebhookDelivery,
    success: 'The waiting attempt.',
    headers: ['Location'],
    errors: ['webhook_disabled'],
  }),
});
