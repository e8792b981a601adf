import type { EventType, Permission } from '@gatehouse/contract';

/**
 * The permission that each change requires, by the event that it records, for every operation that makes the change;
 * null for changes that no operation makes. Changes that follow from another change (the sessions of a blocked member
 * end) need the same permission or one that it implies.
 */
export const effectPermissions: Readonly<Record<EventType, Permission | null>> = {
  'member.created': 'members:write',
  'member.updated': 'members:write',
  'member.deleted': 'members:write',
  'member.blocked': 'members:block',
  'member.unblocked': 'members:block',
  'member.login': null,
  'session.revoked': 'members:block',
  'session.evicted': null,
  'access-token.created': 'login-links:write',
  'access-token.deleted': 'members:block',
  'login-link.created': 'login-links:send',
  'access-group.created': 'access-groups:write',
  'access-group.updated': 'access-groups:write',
  'access-group.deleted': 'access-groups:write',
  'access-group.member.added': 'access-groups:write',
  'access-group.member.updated': 'access-groups:write',
  'access-group.member.removed': 'access-groups:write',
  'access-group.member.expired': null,
  'access-rules.updated': 'site:write',
  'source.created': 'sources:write',
  'source.updated': 'sources:write',
  'source.deleted': 'sources:write',
  'source.synced': null,
  'source.failed': null,
  'webhook.created': 'webhooks:write',
  'webhook.updated': 'webhooks:write',
  'webhook.deleted': 'webhooks:write',
  'webhook.disabled': null,
  'site.created': null,
  'site.updated': 'site:write',
  'host-claim.refused': null,
  'signing-key.created': 'site:write',
  'api-key.created': 'api-keys:write',
  'api-key.rotated': 'api-keys:write',
  'api-key.revoked': 'api-keys:write',
  'operator.invited': 'operators:write',
  'operator.updated': 'operators:write',
  'operator.removed': 'operators:write',
  'operator.login': null,
  'email-budget.exhausted': null,
};
