import type { EventType } from './event-data.ts';
import type { Permission } from './permissions.ts';

/**
 * The permission that each change asks for, by the event that it leaves, whichever operation brings it about; null for what
 * no operation does. Changes that follow from another one (a blocked member's sessions end) are of the same permission or
 * of one that it brings with it.
 */
export const effectPermissions: Readonly<Record<EventType, Permission | null>> = {
  'member.created': 'members:write',
  'member.updated': 'members:write',
  'member.deleted': 'members:write',
  'member.blocked': 'members:block',
  'member.unblocked': 'members:block',
  'member.login': null,
  'session.revoked': 'members:block',
  'login-link.created': 'login-links:send',
  'access-group.created': 'access-groups:write',
  'access-group.updated': 'access-groups:write',
  'access-group.deleted': 'access-groups:write',
  'access-group.member.added': 'access-groups:write',
  'access-group.member.updated': 'access-groups:write',
  'access-group.member.removed': 'access-groups:write',
  'access-group.member.expired': null,
  'access-rules.updated': 'site:write',
  'site.created': null,
  'site.updated': 'site:write',
  'key.created': 'api-keys:write',
  'key.rotated': 'api-keys:write',
  'key.revoked': 'api-keys:write',
  'operator.invited': 'operators:write',
  'operator.updated': 'operators:write',
  'operator.removed': 'operators:write',
  'operator.login': null,
  'email-budget.exhausted': null,
};
