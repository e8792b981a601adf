import { replayEvents } from '../../domain/webhooks/deliveries/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../domain/webhooks/webhooks.ts';
import { type ChangingContext, data, type OperationHandlers, page } from '../operation-handler.ts';
import { requireLastingCaller } from '../operators/caller-authority.ts';

export const webhookHandlers = {
  listWebhooks: (view, { query }) => page(listWebhooks(view, query, view.workspaces.secrets)),

  createWebhook: async (context, { body }) => {
    await requireAuthorityOverWebhooks(context);
    const { change, workspaces, apiUrl } = context;
    const webhook = await createWebhook(change, body, workspaces);
    return { body: { data: webhook }, location: `${apiUrl}/webhooks/${webhook.id}` };
  },

  getWebhook: (view, { params }) => data(findWebhook(view, params.webhookId, view.workspaces.secrets)),

  updateWebhook: async (context, { params, body }) => {
    await requireAuthorityOverWebhooks(context);
    const { change, workspaces, requireMatch } = context;
    return { body: { data: await updateWebhook(change, params.webhookId, body, workspaces, requireMatch) } };
  },

  deleteWebhook: async (context, { params }) => {
    await requireAuthorityOverWebhooks(context);
    const { change, workspaces, requireMatch } = context;
    await deleteWebhook(change, params.webhookId, workspaces, requireMatch);
    return { body: undefined };
  },

  rotateWebhookSecret: async (context, { params }) => {
    await requireAuthorityOverWebhooks(context);
    const { change, workspaces } = context;
    return { body: { data: await rotateWebhookSecret(change, params.webhookId, workspaces) } };
  },

  replayWebhook: async ({ change, workspaces, eventRetentionDays }, { params, body }) => {
    const parts = { secrets: workspaces.secrets, retentionDays: eventRetentionDays };
    return { body: { data: await replayEvents(change, params.webhookId, body, parts) } };
  },
} satisfies OperationHandlers;

/** A webhook counts as a key with `events:read` that does not expire, both for who makes it and for who stops it. */
function requireAuthorityOverWebhooks(context: ChangingContext): Promise<void> {
  return requireLastingCaller(context, 'a webhook continues to receive events');
}
