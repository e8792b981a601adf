import { accessGroupHandlers } from './access-groups.ts';
import { accessRuleHandlers } from './access-rules.ts';
import { accessTokenHandlers } from './access-tokens.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { bulkActionHandlers } from './bulk-actions.ts';
import { bulkMemberHandlers } from './bulk-members.ts';
import { bulkUpdateHandlers } from './bulk-updates.ts';
import { emailHandlers } from './emails.ts';
import { eventGroupHandlers } from './event-groups.ts';
import { eventHandlers } from './events.ts';
import { memberLookupHandlers } from './member-lookup.ts';
import { memberHandlers } from './members.ts';
import { membershipHandlers } from './memberships.ts';
import type { OperationHandlers } from './operation-handler.ts';
import { operatorHandlers } from './operators.ts';
import { overviewHandlers } from './overview.ts';
import { sessionHandlers } from './sessions.ts';
import { signingKeyHandlers } from './signing-keys.ts';
import { siteHandlers } from './sites.ts';
import { sourceCollectionHandlers } from './source-collections.ts';
import { sourceRunHandlers } from './source-runs.ts';
import { sourceWebhookHandlers } from './source-webhooks.ts';
import { sourceHandlers } from './sources.ts';
import { webhookDeliveryHandlers } from './webhook-deliveries.ts';
import { webhookHandlers } from './webhooks.ts';

/** The handler of every operation of the contract, except the OpenAPI document, which needs no site. */
export const handlers = {
  ...memberHandlers,
  ...bulkMemberHandlers,
  ...bulkUpdateHandlers,
  ...memberLookupHandlers,
  ...bulkActionHandlers,
  ...membershipHandlers,
  ...accessGroupHandlers,
  ...sourceHandlers,
  ...sourceCollectionHandlers,
  ...sourceRunHandlers,
  ...sourceWebhookHandlers,
  ...sessionHandlers,
  ...accessTokenHandlers,
  ...accessRuleHandlers,
  ...siteHandlers,
  ...signingKeyHandlers,
  ...apiKeyHandlers,
  ...operatorHandlers,
  ...emailHandlers,
  ...overviewHandlers,
  ...eventHandlers,
  ...eventGroupHandlers,
  ...webhookHandlers,
  ...webhookDeliveryHandlers,
} satisfies Required<Omit<OperationHandlers, 'getOpenApi'>>;
