import { expect, test } from 'vitest';
import { sumOf, toGrowth } from './growth.ts';

const days = [
  { date: '2026-03-01', created: 2, logins: 5, members: 7 },
  { date: '2026-03-02', created: 0, logins: 1, members: 7 },
  { date: '2026-03-03', created: 3, logins: 0, members: 10 },
];

test('the members of a day are those of the next day, without those who were added on the next day', () => {
  expect(toGrowth(10, days)).toEqual([
    { date: '2026-03-01', members: 7 },
    { date: '2026-03-02', members: 7 },
    { date: '2026-03-03', members: 10 },
  ]);
});

test('the days are added up', () => {
  expect(sumOf(days, 'created')).toBe(5);
  expect(sumOf(days, 'logins')).toBe(6);
});
