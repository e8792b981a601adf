export * from './access-groups/access-groups.ts';
export * from './access-groups/memberships.ts';
export * from './access-rules/access-conditions.ts';
export * from './access-rules/access-rules.ts';
export * from './access-rules/page-checks.ts';
export * from './credentials/access-tokens.ts';
export * from './credentials/api-keys.ts';
export * from './credentials/permissions.ts';
export * from './credentials/sessions.ts';
export * from './credentials/signing-keys.ts';
export * from './emails/email-address.ts';
export * from './emails/email-texts.ts';
export * from './emails/emails.ts';
export { type EmailBudgetName, emailBudgetNames } from './emails/emails.ts';
export * from './events/actor.ts';
export {
  type AccessTokenEnd,
  accessTokenEnds,
  type IdentityEnd,
  type IdentityLink,
  identityEnds,
  identityLinks,
  type PasskeyEnd,
  passkeyEnds,
  type SessionEnd,
  sessionEnds,
} from './events/event-data/logins.ts';
export { Change, type ChangedValue } from './events/event-data/shared.ts';
export * from './events/event-data.ts';
export * from './events/event-groups.ts';
export * from './events/event-stream.ts';
export * from './events/events.ts';
export * from './invitations/bulk-invitations.ts';
export * from './invitations/invitations.ts';
export * from './join-requests/join-requests.ts';
export * from './login-providers/identities.ts';
export * from './login-providers/login-methods.ts';
export * from './login-providers/login-providers.ts';
export * from './login-providers/provider-issuers.ts';
export * from './members/bulk-actions.ts';
export * from './members/bulk-members.ts';
export * from './members/bulk-updates.ts';
export * from './members/member.ts';
export * from './members/member-fields.ts';
export * from './members/member-lookup.ts';
export * from './members/members.ts';
export * from './openapi/openapi.ts';
export * from './openapi/openapi-operation.ts';
export * from './operations.ts';
export * from './page-codes/page-codes.ts';
export * from './passkeys/passkeys.ts';
export * from './shared/error-codes.ts';
export * from './shared/errors.ts';
export * from './shared/examples.ts';
export * from './shared/limits.ts';
export * from './shared/names.ts';
export * from './shared/operation.ts';
export {
  exampleIds,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  Pagination,
} from './shared/schemas.ts';
export * from './shared/tags.ts';
export * from './shared/times.ts';
export * from './sites/identity-headers.ts';
export * from './sites/operators.ts';
export * from './sites/overview.ts';
export * from './sites/site-links.ts';
export * from './sites/sites.ts';
export * from './sources/collection-columns.ts';
export * from './sources/source-collections.ts';
export * from './sources/source-runs.ts';
export * from './sources/source-types.ts';
export * from './sources/source-webhooks.ts';
export * from './sources/sources.ts';
export * from './webhooks/webhook-deliveries.ts';
export * from './webhooks/webhook-messages.ts';
export * from './webhooks/webhooks.ts';
