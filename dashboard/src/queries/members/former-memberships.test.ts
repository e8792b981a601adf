import type { Event } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { readFormerMembership } from './former-memberships.ts';

const now = new Date('2026-11-29T12:00:00.000Z');
const groupId = 'course';
const past = '2026-11-28T23:00:00.000Z';
const future = '2027-11-28T23:00:00.000Z';

function read(...events: [type: string, data: object][]) {
  const stored = events.map(([type, data]) => ({ type, data, occurredAt: '2026-11-20T08:00:00.000Z' }));
  return readFormerMembership(stored as unknown as Event[], groupId, now);
}

test('the last event of a membership says how it is over', () => {
  expect(read(['access-group.member.expired', { expiresAt: past }])).toEqual({
    groupId,
    how: 'ended',
    at: past,
  });
  expect(
    read(['access-group.member.removed', {}], ['access-group.member.expired', { expiresAt: past }]),
  ).toEqual({ groupId, how: 'removed', at: '2026-11-20T08:00:00.000Z' });
});

test('a membership is over from its end on, before there is an event of it', () => {
  const changes = [{ field: 'expiresAt', from: null, to: past }];
  expect(read(['access-group.member.added', { expiresAt: past }])?.at).toBe(past);
  expect(read(['access-group.member.updated', { changes }])?.at).toBe(past);
});

test('a membership that lasts is not over, whatever was before it', () => {
  expect(read(['access-group.member.added', { expiresAt: null }])).toBeUndefined();
  expect(
    read(
      ['access-group.member.added', { expiresAt: future }],
      ['access-group.member.expired', { expiresAt: past }],
    ),
  ).toBeUndefined();
  expect(read()).toBeUndefined();
});
