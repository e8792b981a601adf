import type { Permission } from '@gatehouse/client';
import { defaultPermissions, permissions } from '@gatehouse/contract/permissions';
import { expect, test } from 'vitest';
import { describedBy, levelOf, permissionAreas, readPermissions, summaryOf, withLevel } from './areas.ts';

test('every permission belongs to one area', () => {
  const inAreas = permissionAreas.flatMap(({ read, write, more = [] }) => [read, write, ...more]);
  expect(inAreas.filter((each) => each !== undefined).sort()).toEqual([...permissions].sort());
});

test('another level changes only its area, and to write includes to read and what else the area allows', () => {
  const [members] = permissionAreas;
  const before: Permission[] = ['events:read', 'members:block', 'login-links:write'];
  const read = withLevel(members!, 'read', before);
  expect(read).toEqual([...before, 'members:read']);
  const write = withLevel(members!, 'write', read);
  expect(write).toEqual(['events:read', 'login-links:write', 'members:read', 'members:write']);
  expect(withLevel(members!, 'none', write)).toEqual(['events:read', 'login-links:write']);
  expect([before, read, write].map((each) => levelOf(members!, each))).toEqual(['none', 'read', 'write']);
});

test('an area says what the chosen level allows, and before a choice what can be chosen', () => {
  const [members] = permissionAreas;
  const events = permissionAreas.find(({ name }) => name === 'events')!;
  const logins = permissionAreas.at(-1)!;
  expect(describedBy(members!, 'none')).toEqual(['members:read', 'members:write']);
  expect(describedBy(members!, 'read')).toEqual(['members:read']);
  expect(describedBy(members!, 'write')).toEqual(['members:write', 'members:block', 'login-links:send']);
  expect(describedBy(events, 'none')).toEqual(['events:read']);
  expect(describedBy(logins, 'none')).toEqual([]);
});

test('the default permissions, all permissions and those to view everything have a name', () => {
  expect(summaryOf([...defaultPermissions].reverse())).toBe('default');
  expect(summaryOf(permissions.filter((each) => each !== 'members:block'))).toBe('all');
  expect(summaryOf(readPermissions)).toBe('readOnly');
  expect(summaryOf(['members:read'])).toBe('chosen');
});
