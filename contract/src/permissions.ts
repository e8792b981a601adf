/** What an API key may be allowed to do. An operation asks for one of them at most. */
export const permissions = [
  'members:read',
  'members:write',
  'members:block',
  'access-groups:read',
  'access-groups:write',
  'events:read',
  'site:read',
  'site:write',
  'login-links:send',
  'login-links:write',
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
  'mails:read',
] as const;

export type Permission = (typeof permissions)[number];

/** What some permissions bring with them. */
const implied: { readonly [Carried in Permission]?: readonly Permission[] } = {
  'members:write': ['members:block', 'login-links:send'],
};

/** Whether those permissions are enough for what asks for this one. */
export function grants(carried: readonly Permission[], asked: Permission): boolean {
  return carried.some((permission) => permission === asked || implied[permission]?.includes(asked));
}

const neverByDefault: readonly Permission[] = [
  // With it a program can be any member.
  'login-links:write',
  // For those who run the site rather than for its programs.
  'api-keys:read',
  'api-keys:write',
  'operators:read',
  'operators:write',
  'mails:read',
];

/** What a new key carries when nothing else is asked for. */
export const defaultPermissions: readonly Permission[] = permissions.filter(
  (permission) => !neverByDefault.includes(permission),
);
