import { type Permission, permissions } from './permissions.ts';

export const operatorRoles = ['owner', 'admin', 'support', 'viewer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

const reading = permissions.filter(
  (permission) => permission.endsWith(':read') && permission !== 'api-keys:read',
);
/** `scim` is meant for an identity provider alone. */
const everything = permissions.filter((permission) => permission !== 'scim');

/** What an operator may do on a site, by role. */
export const rolePermissions: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  owner: everything,
  admin: everything.filter((permission) => permission !== 'operators:write'),
  support: [...reading, 'members:block', 'login-links:send'],
  viewer: reading,
};
