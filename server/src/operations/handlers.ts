import { accessRuleHandlers } from './access/access-rules.ts';
import { accessTokenHandlers } from './access/access-tokens.ts';
import { pageCheckHandlers } from './access/page-checks.ts';
import { pageCodeHandlers } from './access/page-codes.ts';
import { memberPasskeyHandlers } from './access/passkeys.ts';
import { sessionHandlers } from './access/sessions.ts';
import { signingKeyHandlers } from './access/signing-keys.ts';
import { emailTextHandlers } from './email-texts.ts';
import { emailHandlers } from './emails.ts';
import { accessGroupHandlers } from './members/access-groups.ts';
import { bulkActionHandlers } from './members/bulk-actions.ts';
import { bulkMemberHandlers } from './members/bulk-members.ts';
import { bulkUpdateHandlers } from './members/bulk-updates.ts';
import { memberLookupHandlers } from './members/member-lookup.ts';
import { memberHandlers } from './members/members.ts';
import { membershipHandlers } from './members/memberships.ts';
import type { OperationHandlers } from './operation-handler.ts';
import { apiKeyHandlers } from './operators/api-keys.ts';
import { operatorHandlers } from './operators/operators.ts';
import { overviewHandlers } from './overview.ts';
import { siteHandlers } from './sites.ts';
import { sourceCollectionHandlers } from './sources/source-collections.ts';
import { sourceRunHandlers } from './sources/source-runs.ts';
import { sourceWebhookHandlers } from './sources/source-webhooks.ts';
import { sourceHandlers } from './sources/sources.ts';
import { bulkInvitationHandlers } from './ways-in/bulk-invitations.ts';
import { identityHandlers } from './ways-in/identities.ts';
import { invitationHandlers } from './ways-in/invitations.ts';
import { joinRequestHandlers } from './ways-in/join-requests.ts';
import { loginMethodHandlers } from './ways-in/login-methods.ts';
import { loginProviderHandlers } from './ways-in/login-providers.ts';
import { eventGroupHandlers } from './webhooks/event-groups.ts';
import { eventHandlers } from './webhooks/events.ts';
import { webhookDeliveryHandlers } from './webhooks/webhook-deliveries.ts';
import { webhookHandlers } from './webhooks/webhooks.ts';

/** The handler of every operation of the contract, except the OpenAPI document, which needs no site. */
export const handlers = {
  ...memberHandlers,
  ...bulkMemberHandlers,
  ...bulkUpdateHandlers,
  ...memberLookupHandlers,
  ...bulkActionHandlers,
  ...membershipHandlers,
  ...accessGroupHandlers,
  ...invitationHandlers,
  ...bulkInvitationHandlers,
  ...joinRequestHandlers,
  ...sourceHandlers,
  ...sourceCollectionHandlers,
  ...sourceRunHandlers,
  ...sourceWebhookHandlers,
  ...sessionHandlers,
  ...accessTokenHandlers,
  ...memberPasskeyHandlers,
  ...accessRuleHandlers,
  ...pageCheckHandlers,
  ...loginProviderHandlers,
  ...identityHandlers,
  ...loginMethodHandlers,
  ...pageCodeHandlers,
  ...siteHandlers,
  ...signingKeyHandlers,
  ...apiKeyHandlers,
  ...operatorHandlers,
  ...emailHandlers,
  ...emailTextHandlers,
  ...overviewHandlers,
  ...eventHandlers,
  ...eventGroupHandlers,
  ...webhookHandlers,
  ...webhookDeliveryHandlers,
} satisfies Required<Omit<OperationHandlers, 'getOpenApi'>>;
