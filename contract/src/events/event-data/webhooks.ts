import { exampleIds, openEnumeration, text, uuid } from '../../shared/schemas.ts';
import { changes, data } from './shared.ts';

const webhookId = uuid('The webhook.', exampleIds.webhook);
const host = text('The host of its URL. The URL itself may be secret.', 'shop.example.org');
const webhookCreated = data('WebhookCreatedData', { webhookId, host });
const webhookUpdated = data('WebhookUpdatedData', { webhookId, changes });
const webhookDeleted = data('WebhookDeletedData', { webhookId, host });
const webhookDisabled = data('WebhookDisabledData', {
  webhookId,
  host,
  reason: openEnumeration(
    ['gone', 'failing'] as const,
    '`gone`: the receiver answered 410 Gone. `failing`: every attempt of five days has failed.',
    'failing',
  ),
});

/** The data of events about webhooks, by event type. */
export const webhookEvents = {
  'webhook.created': webhookCreated,
  'webhook.updated': webhookUpdated,
  'webhook.deleted': webhookDeleted,
  'webhook.disabled': webhookDisabled,
};
