import { grants } from '@gatehouse/contract/permissions';
import { countPendingJoinRequests } from '../domain/join-requests/join-requests.ts';
import { findOverview } from '../domain/overview/overview.ts';
import { findFailingWebhooks } from '../domain/webhooks/failing-webhooks.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const overviewHandlers = {
  getOverview: {
    readsMany: () => true,
    handle: async (view, { query }) => {
      const { sendsEmail, permissions } = view;
      const [overview, failingWebhooks, pendingJoinRequests] = await Promise.all([
        findOverview(view, query.timeZone, sendsEmail),
        grants(permissions, 'webhooks:read') ? findFailingWebhooks(view) : null,
        grants(permissions, 'join-requests:read') ? countPendingJoinRequests(view) : null,
      ]);
      return { body: { data: { ...overview, failingWebhooks, pendingJoinRequests } } };
    },
  },
} satisfies OperationHandlers;
