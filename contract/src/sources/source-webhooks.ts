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
        'Until when the workspace may send its verification token; null if it may not: reset the webhook first.',
      ),
    ),
    verificationToken: nullable(
      text(
        'What the workspace wants to know to activate the webhook; null unless it is `waiting`.',
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
    description: 'Of a source of the type `notion`: how its workspace can report changes at once.',
    returns: SourceWebhook,
    errors: ['source_without_webhook', 'workspace_rejected'],
  }),
  resetSourceWebhook: webhook.delete({
    path: '/sources/{sourceId}/webhook',
    summary: 'Connect the webhook of a source',
    description:
      'Deletes the verification token, if there is one, and accepts another one for 15 minutes. Until it has ' +
      'arrived, changes are synchronized on schedule.',
    unconditional: true,
    success: 'The webhook is reset, and a verification token is awaited.',
    errors: ['source_without_webhook', 'workspace_rejected'],
  }),
});
