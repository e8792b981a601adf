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
  listWebhooks: async ({ db, siteId, now }, { query }) => ({
    body: await listWebhooks(db, siteId, query, now),
  }),

  createWebhook: async ({ change, workspaces, apiUrl }, { body }) => {
    const webhook = await createWebhook(change, body, workspaces);
    return { body: { data: webhook }, location: `${apiUrl}/webhooks/${webhook.id}` };
  },

  getWebhook: async ({ db, siteId }, { params }) => ({
    body: { data: await findWebhook(db, siteId, params.webhookId) },
  }),

  updateWebhook: async ({ change, workspaces, requireMatch }, { params, body }) => ({
    body: { data: await updateWebhook(change, params.webhookId, body, workspaces, requireMatch) },
  }),

  deleteWebhook: async ({ change, requireMatch }, { params }) => {
    await deleteWebhook(change, params.webhookId, requireMatch);
    return { body: undefined };
  },

  rotateWebhookSecret: async ({ change, workspaces }, { params }) => ({
    body: { data: await rotateWebhookSecret(change, params.webhookId, workspaces) },
  }),

  replayWebhook: async ({ change, eventRetentionDays }, { params, body }) => ({
    body: { data: await replayEvents(change, params.webhookId, body, eventRetentionDays) },
  }),
} satisfies OperationHandlers;
