export * from './access-conditions.ts';
export * from './access-groups.ts';
export * from './access-rules.ts';
export * from './access-tokens.ts';
export * from './api-keys.ts';
export * from './bulk-actions.ts';
export * from './bulk-members.ts';
export * from './bulk-updates.ts';
export * from './collection-columns.ts';
export * from './email-address.ts';
export { type EmailBudgetName, emailBudgetNames } from './email-budgets.ts';
export * from './emails.ts';
export * from './error-help.ts';
export * from './errors.ts';
export * from './event-data.ts';
export * from './event-groups.ts';
export * from './event-stream.ts';
export * from './events.ts';
export * from './examples.ts';
export * from './identity-headers.ts';
export * from './limits.ts';
export * from './member.ts';
export * from './member-fields.ts';
export * from './member-lookup.ts';
export * from './members.ts';
export * from './memberships.ts';
export * from './names.ts';
export * from './openapi.ts';
export * from './openapi-operation.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './operators.ts';
export * from './overview.ts';
export * from './permissions.ts';
export {
  exampleIds,
  maxRawValueLength,
  noControlCharacters,
  noNull,
  Pagination,
} from './schemas.ts';
export * from './sessions.ts';
export * from './signing-keys.ts';
export * from './sites.ts';
export * from './source-collections.ts';
export * from './source-runs.ts';
export * from './source-webhooks.ts';
export * from './sources.ts';
export * from './tags.ts';
export * from './times.ts';
export * from './webhook-deliveries.ts';
export * from './webhook-messages.ts';
export * from './webhooks.ts';
