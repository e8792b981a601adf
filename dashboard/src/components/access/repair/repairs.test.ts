import type { AccessGroup, MemberWithGroups } from '@gatehouse/client';
import { expect, test } from 'vitest';
import type { Decided } from '../decision-reason.tsx';
import { missedGroups, repairsOf } from './repairs.ts';

const groups = [
  { id: 'course', name: 'Course', type: 'custom' },
  { id: 'board', name: 'Board', type: 'custom' },
  { id: 'list', name: 'From a list', type: 'scope' },
] as AccessGroup[];
const endedAt = '2026-11-28T23:00:00.000Z';
const former = new Map([['course', { groupId: 'course', how: 'ended' as const, at: endedAt }]]);

function repair(decision: object, isIn: string[] = [], known: typeof former = new Map()) {
  const member = { accessGroups: isIn.map((id) => ({ id })) } as MemberWithGroups;
  const repairs = repairsOf(decision as Decided, { member, groups, former: known });
  return repairs.map((each) =>
    each.type === 'join' ? [each.group.name, each.endedAt !== undefined] : each.type,
  );
}

const notIn = (groupIds: string[], match = 'any') => ({
  reason: 'not_in_groups',
  rule: { access: 'groups', groupIds, match },
  alternatives: null,
});

test('a member who is denied for one state gets that state', () => {
  expect(repair({ reason: 'blocked', rule: null })).toEqual(['unblock']);
  expect(repair({ reason: 'not_paying', rule: null })).toEqual(['mark_paid']);
  expect(repair({ reason: 'site_suspended', rule: null })).toEqual([]);
});

test('a membership that has ended is extended instead of a new one in another group', () => {
  expect(repair(notIn(['board', 'course']), [], former)).toEqual([['Course', true]]);
  expect(repair(notIn(['board', 'course']))).toEqual([
    ['Board', false],
    ['Course', false],
  ]);
});

test('all groups that are missing are needed if a rule requires each of them', () => {
  expect(repair(notIn(['board', 'course'], 'all'), ['board'], former)).toEqual([['Course', true]]);
  expect(repair(notIn(['board', 'course'], 'all'), [], former)).toHaveLength(2);
});

test('nobody is added by hand to a group of a source, or to a group that no longer exists', () => {
  expect(repair(notIn(['list', 'deleted']))).toEqual([]);
});

test('each condition that is not met says what it needs, and a time that has not come needs nothing', () => {
  const anyOf = [
    { access: 'members', groupIds: ['course'], from: '2026-12-01T00:00:00.000Z' },
    { access: 'members', groupIds: ['board'] },
    { access: 'paying_members' },
  ];
  const rule = { access: 'conditional', anyOf };
  const decision = { reason: 'condition_not_met', rule, alternatives: ['from', 'groups', 'paid'] };
  expect(repair(decision)).toEqual([['Board', false], 'mark_paid']);
  expect(missedGroups(decision as unknown as Decided)).toEqual(['board']);
  expect(repair({ ...decision, alternatives: ['active', 'active', 'active'] })).toEqual(['unblock']);
});
