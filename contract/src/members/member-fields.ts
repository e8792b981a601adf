// The values of fields of members. They need no schema.

export const memberStatuses = ['active', 'blocked'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const memberSortFields = [
  'createdAt',
  'updatedAt',
  'registeredAt',
  'lastLoginAt',
  'email',
  'displayName',
] as const;
export type MemberSortField = (typeof memberSortFields)[number];
