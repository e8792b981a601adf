import { grants } from '@gatehouse/contract/permissions';
import { findFailedEmails } from '../domain/emails/emails.ts';
import { countPendingJoinRequests } from '../domain/join-requests/join-requests.ts';
import { findOverview } from '../domain/overview/overview.ts';
import { findWaitingSources } from '../domain/sources/runs/waiting-sources.ts';
import { findFailingWebhooks } from '../domain/webhooks/failing-webhooks.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const overviewHandlers = {
  getOverview: {
    readsMany: () => true,
    handle: async (view, { query }) => {
      const { sendsEmail, permissions } = view;
      const [overview, failedEmails, failingWebhooks, pendingJoinRequests, waitingSources] =
        await Promise.all([
          findOverview(view, query, sendsEmail),
          grants(permissions, 'emails:read') ? findFailedEmails(view) : null,
          grants(permissions, 'webhooks:read') ? findFailingWebhooks(view) : null,
          grants(permissions, 'join-requests:read') ? countPendingJoinRequests(view) : null,
          grants(permissions, 'sources:read') ? findWaitingSources(view) : null,
        ]);
      const permitted = { failedEmails, failingWebhooks, pendingJoinRequests, waitingSources };
      return { body: { data: { ...overview, ...permitted } } };
    },
  },
} satisfies OperationHandlers;
