import type { Permission } from '@gatehouse/client';

/** The permissions that a key can get in the dashboard, in display order. */
export const keyPermissions = [
  'members:read',
  'members:write',
  'members:block',
  'login-links:send',
  'login-links:write',
  'access-groups:read',
  'access-groups:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'sources:read',
  'sources:write',
  'site:read',
  'site:write',
  'emails:read',
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
] as const satisfies readonly Permission[];

const neverDefault: readonly Permission[] = [
  'login-links:write',
  'webhooks:read',
  'webhooks:write',
  'sources:write',
  'emails:read',
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
];

/** Whether these are the default permissions of a key. */
export function areDefault(permissions: readonly Permission[]): boolean {
  const defaults = keyPermissions.filter((permission) => !neverDefault.includes(permission));
  return (
    permissions.length === defaults.length && defaults.every((permission) => permissions.includes(permission))
  );
}
