import type { Permission } from '@gatehouse/client';
import { defaultPermissions } from '@gatehouse/contract/permissions';

/** The permissions that a key can get in the dashboard, in display order. */
export const keyPermissions = [
  'members:read',
  'members:write',
  'members:block',
  'login-links:send',
  'login-links:write',
  'login-providers:write',
  'access-groups:read',
  'access-groups:write',
  'invitations:read',
  'invitations:write',
  'join-requests:read',
  'join-requests:write',
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

/** Whether these are the default permissions of a key. */
export function areDefault(permissions: readonly Permission[]): boolean {
  const hasSameCount = permissions.length === defaultPermissions.length;
  return hasSameCount && defaultPermissions.every((permission) => permissions.includes(permission));
}
