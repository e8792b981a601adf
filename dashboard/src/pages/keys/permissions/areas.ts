import type { Permission } from '@gatehouse/client';
import { defaultPermissions, permissions as everyPermission, grants } from '@gatehouse/contract/permissions';

/** What a key may see and change. */
export interface PermissionArea {
  readonly name: AreaName;
  readonly read?: Permission;
  readonly write?: Permission;
  /** What can be allowed beside them. To write includes those of its area. */
  readonly more?: readonly Permission[];
}

export type AreaName =
  | 'members'
  | 'groups'
  | 'invitations'
  | 'join-requests'
  | 'sources'
  | 'settings'
  | 'events'
  | 'emails'
  | 'webhooks'
  | 'keys'
  | 'operators'
  | 'logins';

/** The areas in the order of the navigation; last what lets a program log in as any member. */
export const permissionAreas: readonly PermissionArea[] = [
  {
    name: 'members',
    read: 'members:read',
    write: 'members:write',
    more: ['members:block', 'login-links:send'],
  },
  { name: 'groups', read: 'access-groups:read', write: 'access-groups:write' },
  { name: 'invitations', read: 'invitations:read', write: 'invitations:write' },
  { name: 'join-requests', read: 'join-requests:read', write: 'join-requests:write' },
  { name: 'sources', read: 'sources:read', write: 'sources:write' },
  { name: 'settings', read: 'site:read', write: 'site:write' },
  { name: 'events', read: 'events:read' },
  { name: 'emails', read: 'emails:read' },
  { name: 'webhooks', read: 'webhooks:read', write: 'webhooks:write' },
  { name: 'keys', read: 'api-keys:read', write: 'api-keys:write' },
  { name: 'operators', read: 'operators:read', write: 'operators:write' },
  { name: 'logins', more: ['login-links:write', 'login-providers:write'] },
];

export type Level = 'none' | 'read' | 'write';

/** What the permissions allow in an area. */
export function levelOf({ read, write }: PermissionArea, granted: readonly Permission[]): Level {
  if (write !== undefined && granted.includes(write)) return 'write';
  return read !== undefined && granted.includes(read) ? 'read' : 'none';
}

/** The permissions with another level in one area. To write includes to read. */
export function withLevel(area: PermissionArea, level: Level, granted: readonly Permission[]): Permission[] {
  const { read, write, more = [] } = area;
  const others = granted.filter(
    (each) => each !== read && each !== write && !(level === 'write' && more.includes(each)),
  );
  const wanted = { none: [], read: [read], write: [read, write] }[level];
  return [...others, ...wanted.flatMap((each) => each ?? [])];
}

/** What can be allowed in an area beside its level. */
export function extrasOf(area: PermissionArea, level: Level): readonly Permission[] {
  return level === 'write' ? [] : (area.more ?? []);
}

/** The permissions that describe a level of an area; for none, those that can be chosen. To write includes to read. */
export function describedBy({ read, write, more = [] }: PermissionArea, level: Level): readonly Permission[] {
  const described = { none: [read, write], read: [read], write: [write, ...(read ? more : [])] }[level];
  return described.filter((each) => each !== undefined);
}

/** The permissions to view: those in every area. */
export const readPermissions: readonly Permission[] = permissionAreas.flatMap(({ read }) => read ?? []);

export type PermissionSummary = 'all' | 'default' | 'readOnly' | 'chosen';

/** What the permissions are called together. */
export function summaryOf(granted: readonly Permission[]): PermissionSummary {
  if (everyPermission.every((each) => grants(granted, each))) return 'all';
  if (areSame(granted, defaultPermissions)) return 'default';
  return areSame(granted, readPermissions) ? 'readOnly' : 'chosen';
}

function areSame(some: readonly Permission[], others: readonly Permission[]): boolean {
  return some.length === others.length && others.every((each) => some.includes(each));
}
