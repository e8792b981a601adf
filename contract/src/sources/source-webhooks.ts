import type { Static } from 'typebox';
import { named, Resource } from '../shared/resource.ts';
import { dateTime, nullable, openEnumeration, shape, text } from '../shared/schemas.ts';

export const sourceWebhookStatuses = ['none', 'waiting', 'active'] as const;

export const SourceWebhook = shape(
  'SourceWebhook',
  'How a workspace of Notion reports changes to a source.',
  {
    address: text(
      'To be entered in the workspace as the URL of its webhook.',
      'https://club.example.org/hooks/notion/01980a2f-5b10-7c55-8a01-6f0d2c9b7e11/01980a35-2f18-7c64-9a70-8b9c0d1e2f31',
    ),
    status: openEnumeration(
      sourceWebhookStatuses,
      '`none`: the workspace has not sent its verification token. `waiting`: the token has to be entered in the ' +
        'workspace. `active`: the workspace reports changes, which are synchronized within a minute.',
      'waiting',
    ),
    awaitedUntil: nullable(
      dateTime(
        'Until when a verification token is accepted from the workspace; null if none is: reset the webhook first.',
      ),
    ),
    verificationToken: nullable(
      text(
        'To be entered in the workspace to activate the webhook; null unless the status is `waiting`.',
        'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl',
      ),
    ),
  },
);
export type SourceWebhook = Static<typeof SourceWebhook>;

const webhook = new Resource({
  tag: 'Sources',
  name: 'webhook',
  read: 'sources:write',
  write: 'sources:write',
});

export const sourceWebhookOperations = named({
  getSourceWebhook: webhook.get({
    path: '/sources/{sourceId}/webhook',
    summary: 'Get the webhook of a source',
    description:
      'For a source of the type `notion`: with a webhook, its workspace reports changes at once instead of on schedule.',
    returns: SourceWebhook,
    errors: ['source_without_webhook', 'workspace_rejected'],
  }),
  resetSourceWebhook: webhook.delete({
    path: '/sources/{sourceId}/webhook',
    summary: 'Reset the webhook of a source',
    description:
      'Deletes the verification token, if there is one, and accepts another one for 15 minutes. Until it has ' +
      'arrived, changes are synchronized on schedule.',
    unconditional: true,
    success: 'The webhook is reset, and a verification token is awaited.',
    errors: ['source_without_webhook', 'workspace_rejected'],
  }),
});
