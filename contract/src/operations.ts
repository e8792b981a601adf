import { accessGroupOperations } from './access-groups/access-groups.ts';
import { membershipOperations } from './access-groups/memberships.ts';
import { accessRuleOperations } from './access-rules/access-rules.ts';
import { pageCheckOperations } from './access-rules/page-checks.ts';
import { accessTokenOperations } from './credentials/access-tokens.ts';
import { apiKeyOperations } from './credentials/api-keys.ts';
import { sessionOperations } from './credentials/sessions.ts';
import { signingKeyOperations } from './credentials/signing-keys.ts';
import { emailTextOperations } from './emails/email-texts.ts';
import { emailOperations } from './emails/emails.ts';
import { eventGroupOperations } from './events/event-groups.ts';
import { streamEvents } from './events/event-stream.ts';
import { eventOperations } from './events/events.ts';
import { bulkInvitationOperations } from './invitations/bulk-invitations.ts';
import { invitationOperations } from './invitations/invitations.ts';
import { joinRequestOperations } from './join-requests/join-requests.ts';
import { identityOperations } from './login-providers/identities.ts';
import { loginMethodOperations } from './login-providers/login-methods.ts';
import { loginProviderOperations } from './login-providers/login-providers.ts';
import { bulkActionOperations } from './members/bulk-actions.ts';
import { bulkMemberOperations } from './members/bulk-members.ts';
import { bulkUpdateOperations } from './members/bulk-updates.ts';
import { memberLookupOperations } from './members/member-lookup.ts';
import { memberOperations } from './members/members.ts';
import { getOpenApi } from './openapi/openapi-operation.ts';
import { pageCodeOperations } from './page-codes/page-codes.ts';
import { memberPasskeyOperations } from './passkeys/passkeys.ts';
import type { Operation, StreamOperation } from './shared/operation.ts';
import { operatorOperations } from './sites/operators.ts';
import { overviewOperations } from './sites/overview.ts';
import { siteOperations } from './sites/sites.ts';
import { sourceCollectionOperations } from './sources/source-collections.ts';
import { sourceRunOperations } from './sources/source-runs.ts';
import { sourceWebhookOperations } from './sources/source-webhooks.ts';
import { sourceOperations } from './sources/sources.ts';
import { webhookDeliveryOperations } from './webhooks/webhook-deliveries.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

/** Every operation of the API, by ID. */
export const operations = {
  ...memberOperations,
  ...bulkMemberOperations,
  ...bulkUpdateOperations,
  ...bulkActionOperations,
  ...memberLookupOperations,
  ...accessGroupOperations,
  ...membershipOperations,
  ...invitationOperations,
  ...bulkInvitationOperations,
  ...joinRequestOperations,
  ...sourceOperations,
  ...sourceCollectionOperations,
  ...sourceRunOperations,
  ...sourceWebhookOperations,
  ...sessionOperations,
  ...accessTokenOperations,
  ...memberPasskeyOperations,
  ...accessRuleOperations,
  ...pageCheckOperations,
  ...loginProviderOperations,
  ...identityOperations,
  ...loginMethodOperations,
  ...pageCodeOperations,
  ...siteOperations,
  ...signingKeyOperations,
  ...apiKeyOperations,
  ...operatorOperations,
  ...emailOperations,
  ...emailTextOperations,
  ...overviewOperations,
  ...eventOperations,
  ...eventGroupOperations,
  ...webhookOperations,
  ...webhookDeliveryOperations,
  getOpenApi,
} as const satisfies Record<string, Operation>;

/** The operations whose responses do not end by themselves. */
export const streamOperations = { streamEvents } as const satisfies Record<string, StreamOperation>;

export type Operations = typeof operations;

export type OperationId = keyof Operations;
