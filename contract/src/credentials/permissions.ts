// What API keys and operators may do. It needs no schema.

/** The permissions of API keys. */
export const permissions = [
  'members:read',
  'members:write',
  'members:block',
  'access-groups:read',
  'access-groups:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'sources:read',
  'sources:write',
  'site:read',
  'site:write',
  'login-links:send',
  'login-links:write',
  'login-providers:write',
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
  'emails:read',
  'invitations:read',
  'invitations:write',
  'join-requests:read',
  'join-requests:write',
] as const;

export type Permission = (typeof permissions)[number];

/** Permissions that another permission includes. */
const implied: { readonly [Granted in Permission]?: readonly Permission[] } = {
  'members:write': ['members:block', 'login-links:send'],
};

/** Whether the granted permissions include the required one. */
export function grants(granted: readonly Permission[], required: Permission): boolean {
  return granted.some((permission) => permission === required || implied[permission]?.includes(required));
}

const neverByDefault: readonly Permission[] = [
  // With it a program can log in as any member.
  'login-links:write',
  // With a provider of its own, a program can log in as any member.
  'login-providers:write',
  // A webhook sends what happens, with personal data, to any URL.
  'webhooks:read',
  'webhooks:write',
  // A source can create members, and change who may see what.
  'sources:write',
  // For the operators of the site rather than for programs.
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
  'emails:read',
  // With them people become members.
  'invitations:read',
  'invitations:write',
  'join-requests:read',
  'join-requests:write',
];

/** The default permissions of a new key. */
export const defaultPermissions: readonly Permission[] = permissions.filter(
  (permission) => !neverByDefault.includes(permission),
);

export const operatorRoles = ['owner', 'admin', 'support', 'viewer'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

const viewing: readonly Permission[] = [
  'members:read',
  'access-groups:read',
  'events:read',
  'sources:read',
  'site:read',
  'operators:read',
  'emails:read',
];

/** The permissions of an operator on a site, by role. */
export const rolePermissions: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  owner: permissions,
  admin: permissions.filter((permission) => permission !== 'operators:write'),
  support: [...viewing, 'members:block', 'login-links:send', 'invitations:read', 'join-requests:read'],
  viewer: viewing,
};
