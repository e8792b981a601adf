import { replayEvents } from '../domain/webhooks/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../domain/webhooks/webhooks.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const webhookHandlers = {
  listWebhooks: async ({ db, siteId, now, workspaces }, { query }) => ({
    body: await listWebhooks(db, siteId, query, workspaces.secrets, now),
  }),

  createWebhook: async ({ change, workspaces, apiUrl }, { body }) => {
    const webhook = await createWebhook(change, body, workspaces);
    return { body: { data: webhook }, location: `${apiUrl}/webhooks/${webhook.id}` };
  },

  getWebhook: async ({ db, siteId, workspaces }, { params }) => ({
    body: { data: await findWebhook(db, siteId, params.webhookId, workspaces.secrets) },
  }),

  updateWebhook: async ({ change, workspaces, requireMatch }, { params, body }) => ({
    body: { data: await updateWebhook(change, params.webhookId, body, workspaces, requireMatch) },
  }),

  deleteWebhook: async ({ change, workspaces, requireMatch }, { params }) => {
    await deleteWebhook(change, params.webhookId, workspaces, requireMatch);
    return { body: undefined };
  },

  rotateWebhookSecret: async ({ change, workspaces }, { params }) => ({
    body: { data: await rotateWebhookSecret(change, params.webhookId, workspaces) },
  }),

  replayWebhook: async ({ change, workspaces, eventRetentionDays }, { params, body }) => {
    const parts = { secrets: workspaces.secrets, retentionDays: eventRetentionDays };
    return { body: { data: await replayEvents(change, params.webhookId, body, parts) } };
  },
} satisfies OperationHandlers;
