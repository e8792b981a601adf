import type { Overview } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { changesOf, changeText, loginsOf } from './changes.ts';

const overview = {
  members: { total: 120, active: 117, blocked: 3, paid: 40, verified: 90 },
  before: { total: 102, active: 101, blocked: 1, paid: 45, verified: 90 },
  loginsBefore: 4,
  days: [
    { date: '2026-03-01', created: 2, logins: 5, members: 117 },
    { date: '2026-03-02', created: 3, logins: 1, members: 120 },
  ],
} as Overview;

test('numbers are compared with those at the beginning, and logins with those of as many days before', () => {
  expect(loginsOf(overview.days)).toBe(6);
  expect(changesOf(overview)).toEqual({ total: 18, paid: -5, verified: 0, blocked: 2, logins: 2 });
});

test('logins are not compared with days of which nothing is known', () => {
  expect(changesOf({ ...overview, loginsBefore: null }).logins).toBeNull();
});

test('a change has its sign, a minus and not a hyphen', () => {
  expect([18, -3, 0, 1_200].map((change) => changeText(change, 'en'))).toEqual(['+18', '−3', '0', '+1,200']);
});
