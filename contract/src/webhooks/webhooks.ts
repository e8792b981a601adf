import { type Static, Type } from 'typebox';
import { eventTypes } from '../events/events.ts';
import {
  maxAccessGroupIds,
  maxEnabledWebhooks,
  maxWebhookDescriptionLength,
  maxWebhookParallelism,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  dateTime,
  enumeration,
  exampleIds,
  flag,
  integer,
  maxRawValueLength,
  noNull,
  nullable,
  openEnumeration,
  optional,
  orNull,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';

/** Characters in the URL of a webhook. */
const maxUrlLength = 2_000;

export const webhookContents = ['full', 'ids'] as const;
export type WebhookContent = (typeof webhookContents)[number];

export const webhookStatuses = ['active', 'failing', 'disabled'] as const;

export const webhookDisabledReasons = ['request', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

const urlRules =
  'The https URL that receives the events, with a POST for each. It must be public. Redirects are not followed.';
const urlExample = 'https://shop.example.org/hooks/gatehouse';
const typesExample = ['member.created', 'member.updated'] as const;
const typesDescription =
  'The types of the events that are sent; null for all, also those that are added later.';
const groupsDescription = 'Only events about these access groups are sent; null for all events.';
const contentText =
  'What a message contains. `full`: all data of the event. `ids`: `data` has only the ids, so that no personal data is sent.';
const enabled = flag('Whether events are sent.', true);
const parallelism = integer(
  'How many events are sent at the same time. With 1 they arrive in the order in which they happened, and an event ' +
    'that fails blocks those after it.',
  5,
  { minimum: 1, maximum: maxWebhookParallelism },
);

export const Webhook = shape('Webhook', 'A receiver of the events of the site.', {
  id: uuid('The webhook.', exampleIds.webhook),
  url: text(`${urlRules} If the secret key that encrypts it is missing, only its host is shown.`, urlExample),
  description: text('What it is for.', 'Shop'),
  eventTypes: nullable(
    Type.Array(openEnumeration(eventTypes, 'A type of events.'), {
      description: typesDescription,
      examples: [typesExample],
    }),
  ),
  groupIds: nullable(
    Type.Array(uuid('An access group.', exampleIds.group), {
      description: groupsDescription,
      examples: [[exampleIds.group]],
    }),
  ),
  content: openEnumeration(webhookContents, contentText, 'full'),
  parallelism,
  enabled,
  status: openEnumeration(
    webhookStatuses,
    '`active`. `failing`: the last attempts have failed, so that events wait and one of them is sent from time to ' +
      'time. `disabled`: nothing is sent.',
    'active',
  ),
  disabledReason: nullable(
    openEnumeration(
      webhookDisabledReasons,
      'Why it is disabled; null if it is not. `request`: somebody disabled it. `gone`: the receiver answered 410 ' +
        'Gone. `failing`: every attempt of five days has failed.',
      'failing',
    ),
  ),
  failingSince: nullable(dateTime('Since when every attempt has failed; null if the last one succeeded.')),
  nextAttemptAt: nullable(
    dateTime('When the next event is sent to a failing receiver; null unless the webhook is `failing`.'),
  ),
  replay: orNull(
    shape('WebhookReplay', 'The events that are being sent again; null if none are.', {
      since: dateTime('The beginning of the period.', '2026-01-30T00:00:00.000Z'),
      until: dateTime('The end of the period.', '2026-01-31T00:00:00.000Z'),
      percent: integer('The percentage of the events in the period that are done.', 40, {
        minimum: 0,
        maximum: 100,
      }),
    }),
  ),
  previousSecretExpiresAt: nullable(
    dateTime(
      'When the previous secret stops signing, or stopped; null if the secret was never replaced.',
      '2026-02-01T09:30:00.000Z',
    ),
  ),
  createdAt: dateTime('When it was created.'),
  updatedAt: dateTime('When its settings were last changed.'),
});
export type Webhook = Static<typeof Webhook>;

const secret = text(
  'The secret that signs what is sent (Standard Webhooks). It is returned only this once, and stored encrypted.',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
);

export const CreatedWebhook = shape('CreatedWebhook', 'A new webhook with its secret.', {
  ...Webhook.properties,
  secret,
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

const submitted = {
  url: text(urlRules, urlExample, { minLength: 1, maxLength: maxUrlLength, pattern: noNull }),
  // The cap is higher than the limit, because the limit applies after trimming and normalizing.
  description: text(
    `What it is for, at most ${maxWebhookDescriptionLength} characters on one line.`,
    'Shop',
    { maxLength: maxRawValueLength, pattern: noNull },
  ),
  eventTypes: nullable(
    Type.Array(enumeration(eventTypes, 'A type of events.', 'member.created'), {
      minItems: 1,
      maxItems: 100,
      description: typesDescription,
      examples: [typesExample],
    }),
  ),
  groupIds: nullable(
    Type.Array(uuid('An access group.', exampleIds.group), {
      minItems: 1,
      maxItems: maxAccessGroupIds,
      description: groupsDescription,
      examples: [[exampleIds.group]],
    }),
  ),
  content: enumeration(webhookContents, contentText, 'full'),
  parallelism,
  enabled,
};

const { url: submittedUrl, ...otherFields } = submitted;

export const CreateWebhook = request(
  'CreateWebhook',
  { url: submittedUrl, ...optional(otherFields) },
  {
    description:
      'Without the optional fields, every event is sent with its full content, up to 5 at the same time, without order.',
    examples: [{ url: urlExample, description: 'Shop', eventTypes: typesExample }],
  },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

export const UpdateWebhook = changes('UpdateWebhook', submitted, {
  examples: [{ description: 'Shop', parallelism: 1 }],
});
export type UpdateWebhook = Static<typeof UpdateWebhook>;

/** Whoever decides where events go, or stops them, could otherwise read them there, or keep them from those who may. */
export const readsEvents = [{ permission: 'events:read' }] as const;
/** A webhook continues after the key that made it, so that a key with an end would outlive itself. */
const notByEndingKeys = ' Not possible with a key that expires.';

export const WebhookSecret = shape('WebhookSecret', 'The new secret of a webhook.', {
  secret,
  previousSecretExpiresAt: dateTime(
    'Until when the previous secret signs as well.',
    '2026-02-01T09:30:00.000Z',
  ),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const ReplayWebhook = request(
  'ReplayWebhook',
  {
    since: dateTime('Events at or after this time.', '2026-01-30T00:00:00.000Z'),
    until: Type.Optional(dateTime('Events before this time. Defaults to now.', '2026-01-31T00:00:00.000Z')),
    eventTypes: Type.Optional(submitted.eventTypes),
  },
  {
    description: 'Which of the events that match the webhook are sent again.',
    examples: [{ since: '2026-01-30T00:00:00.000Z', until: '2026-01-31T00:00:00.000Z' }],
  },
);
export type ReplayWebhook = Static<typeof ReplayWebhook>;

const webhooks = new Resource({
  tag: 'Webhooks',
  name: 'webhook',
  read: 'webhooks:read',
  write: 'webhooks:write',
});

export const webhookOperations = named({
  listWebhooks: webhooks.list({
    path: '/webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of the site, newest first.',
    returns: Webhook,
  }),
  createWebhook: webhooks.create({
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'From then on, every event that matches is sent to the URL at least once, signed as in Standard Webhooks. ' +
      `A site may have ${maxEnabledWebhooks} enabled webhooks.${notByEndingKeys}`,
    furtherPermissions: readsEvents,
    body: CreateWebhook,
    returns: CreatedWebhook,
    success: 'The new webhook with its secret.',
    headers: ['Location'],
    errors: ['access_group_not_found', 'too_many_webhooks'],
  }),
  getWebhook: webhooks.get({
    path: '/webhooks/{webhookId}',
    summary: 'Get a webhook',
    description: 'One webhook with its status.',
    returns: Webhook,
  }),
  updateWebhook: webhooks.update({
    path: '/webhooks/{webhookId}',
    summary: 'Update a webhook',
    description:
      'Changes the given settings, at least one. Disabling a webhook discards the events that are waiting. Once it ' +
      'is enabled again, new events are sent; replay those that it missed. A new URL is tried at once.' +
      notByEndingKeys,
    furtherPermissions: readsEvents,
    body: UpdateWebhook,
    returns: Webhook,
    errors: ['access_group_not_found', 'too_many_webhooks'],
  }),
  deleteWebhook: webhooks.delete({
    path: '/webhooks/{webhookId}',
    summary: 'Delete a webhook',
    description: `Permanent. Nothing more is sent; an attempt that has begun may still arrive.${notByEndingKeys}`,
    furtherPermissions: readsEvents,
  }),
  rotateWebhookSecret: webhooks.create({
    path: '/webhooks/{webhookId}/rotate-secret',
    summary: 'Replace the secret of a webhook',
    description:
      'Creates a new secret. For a day, each message is signed with both, so that the receiver can be changed without ' +
      'losing a message.' +
      notByEndingKeys,
    furtherPermissions: readsEvents,
    returns: WebhookSecret,
    success: 'The new secret.',
    headers: [],
  }),
  replayWebhook: webhooks.act({
    path: '/webhooks/{webhookId}/replay',
    summary: 'Send events again',
    description:
      'Sends the events of a period again, in addition to new ones. Each keeps its id, by which a receiver recognizes ' +
      'what it already has.',
    furtherPermissions: readsEvents,
    body: ReplayWebhook,
    returns: Webhook,
    errors: ['webhook_disabled', 'webhook_replays'],
  }),
});
