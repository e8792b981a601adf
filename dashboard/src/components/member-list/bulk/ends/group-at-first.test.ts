import { expect, test } from 'vitest';
import { groupAtFirst } from './group-at-first.ts';

const expiresBefore = '2026-12-01T00:00:00.000Z';
const [soon, later] = ['2026-11-30T23:00:00.000Z', '2027-06-30T22:00:00.000Z'];
const group = (id: string, ...ends: (string | null)[]) => ({
  id,
  name: id,
  ends: ends.map((expiresAt, index) => ({ memberId: `m${index}`, expiresAt })),
});

test('the group by which the list is filtered is chosen at first, and the only one', () => {
  const groups = [group('club', null, null), group('course', soon)];
  expect(groupAtFirst({ groups, count: 2 }, { groupId: 'club', expiresBefore })).toBe('club');
  expect(groupAtFirst({ groups, count: 2 }, {})).toBeNull();
  expect(groupAtFirst({ groups: [group('club', null)], count: 2 }, {})).toBe('club');
});

test('in a list filtered by ends, the group that ends for all of the selected members is chosen', () => {
  const groups = [group('club', null, later), group('course', soon, soon)];
  expect(groupAtFirst({ groups, count: 2 }, { expiresBefore })).toBe('course');
});

test('no group is chosen if another one ends too, or none for one of the members', () => {
  const course = group('course', soon, soon);
  expect(groupAtFirst({ groups: [course, group('club', soon)], count: 2 }, { expiresBefore })).toBeNull();
  expect(groupAtFirst({ groups: [course, group('club', null)], count: 3 }, { expiresBefore })).toBeNull();
});
