import type { Permission } from '@gatehouse/client';

/** What a key may be made to do at the dashboard, in the order in which people read it. */
export const keyPermissions = [
  'members:read',
  'members:write',
  'members:block',
  'login-links:send',
  'login-links:write',
  'access-groups:read',
  'access-groups:write',
  'events:read',
  'site:read',
  'site:write',
  'mails:read',
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
] as const satisfies readonly Permission[];

const neverUsual: readonly Permission[] = [
  'login-links:write',
  'mails:read',
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
];

/** Whether these are the permissions of a key for which nothing else was asked. */
export function areUsual(permissions: readonly Permission[]): boolean {
  const usual = keyPermissions.filter((permission) => !neverUsual.includes(permission));
  return permissions.length === usual.length && usual.every((permission) => permissions.includes(permission));
}
