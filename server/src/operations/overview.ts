import { grants } from '@gatehouse/contract/permissions';
import { findOverview } from '../domain/overview/overview.ts';
import { findFailingWebhooks } from '../domain/webhooks/failing-webhooks.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const overviewHandlers = {
  getOverview: {
    readsMany: () => true,
    handle: async (view, { query }) => {
      const { sendsEmail, permissions } = view;
      const [overview, failingWebhooks] = await Promise.all([
        findOverview(view, query.timeZone, sendsEmail),
        grants(permissions, 'webhooks:read') ? findFailingWebhooks(view) : null,
      ]);
      return { body: { data: { ...overview, failingWebhooks, pendingJoinRequests: null } } };
    },
  },
} satisfies OperationHandlers;
