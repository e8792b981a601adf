/** What an API key may be allowed to do. An operation asks for one of them at most. */
export const permissions = [
  'members:read',
  'members:write',
  'access-groups:read',
  'access-groups:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'site:read',
  'site:write',
  'login-links:write',
  'scim',
] as const;

export type Permission = (typeof permissions)[number];

/**
 * What a new key carries when nothing else is asked for. Two are left out: `login-links:write`, with which a program
 * can be any member, and `scim`, which is meant for an identity provider with a key of its own.
 */
export const defaultPermissions: readonly Permission[] = permissions.filter(
  (permission) => permission !== 'login-links:write' && permission !== 'scim',
);
