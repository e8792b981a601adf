import { grants } from '@gatehouse/contract/permissions';
import { findOverview } from '../domain/overview/overview.ts';
import { findFailingWebhooks } from '../domain/webhooks/failing-webhooks.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const overviewHandlers = {
  getOverview: async ({ db, siteId, now, sendsEmail, permissions }, { query }) => {
    const [overview, failingWebhooks] = await Promise.all([
      findOverview(db, siteId, query.timeZone, sendsEmail, now),
      grants(permissions, 'webhooks:read') ? findFailingWebhooks(db, siteId) : null,
    ]);
    return { body: { data: { ...overview, failingWebhooks } } };
  },
} satisfies OperationHandlers;
