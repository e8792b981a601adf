import { expect, test } from 'vitest';
import { proposedGroups, toApprovals } from './proposed-groups.ts';

const asking = (id: string, ...requestedGroupIds: string[]) => ({ id, requestedGroupIds });
const possible = new Set(['crew', 'board']);

test('the groups proposed for everyone are chosen; a group that was deleted is not', () => {
  expect(proposedGroups([asking('ada', 'crew', 'gone')], possible)).toEqual({
    common: ['crew'],
    differ: false,
  });
  expect(proposedGroups([asking('ada', 'crew'), asking('bob', 'crew', 'board')], possible)).toEqual({
    common: ['crew'],
    differ: true,
  });
  expect(proposedGroups([asking('ada'), asking('bob', 'crew')], possible)).toEqual({
    common: [],
    differ: true,
  });
});

test('each person gets the chosen groups and those proposed for them', () => {
  const requests = [asking('ada', 'crew'), asking('bob', 'gone'), asking('eve', 'crew')];
  const approval = { groupIds: ['board'], alsoProposed: possible, expiresAt: null };
  expect(toApprovals(requests, approval)).toEqual([
    {
      decision: 'approve',
      joinRequestIds: ['ada', 'eve'],
      accessGroupIds: ['board', 'crew'],
      membershipExpiresAt: null,
    },
    { decision: 'approve', joinRequestIds: ['bob'], accessGroupIds: ['board'], membershipExpiresAt: null },
  ]);
});

test('without groups none are sent', () => {
  const approval = { groupIds: [], alsoProposed: undefined, expiresAt: null };
  expect(toApprovals([asking('ada', 'crew')], approval)).toEqual([
    { decision: 'approve', joinRequestIds: ['ada'] },
  ]);
});
