import { expect, test } from 'vitest';
import { planEnds } from './plan.ts';

const zone = 'Europe/Berlin';
const endOf = (day: string) => new Date(`${day}T23:00:00.000Z`).toISOString();
const group = (...ends: (string | null)[]) => ({
  id: 'season',
  name: 'Season',
  ends: ends.map((expiresAt, index) => ({ memberId: `m${index}`, expiresAt })),
});
const stepsOf = (plan: ReturnType<typeof planEnds>) =>
  plan.steps.map(({ memberIds, action }) => [memberIds, 'expiresAt' in action && action.expiresAt]);

test('one day for all is one step, for those who do not have it yet', () => {
  const day = endOf('2027-12-31');
  const plan = planEnds(group(endOf('2026-12-31'), day, null), { expiresAt: day }, zone);
  expect(stepsOf(plan)).toEqual([[['m0', 'm2'], day]]);
  expect(plan).toMatchObject({ changed: 2, unchanged: 1, earlier: 1, first: day, last: day });
});

test('a year later, each membership moves from its own last day, and one without an end stays', () => {
  const plan = planEnds(
    group(endOf('2026-12-31'), endOf('2026-01-31'), endOf('2026-12-31'), null),
    'year_later',
    zone,
  );
  expect(stepsOf(plan)).toEqual([
    [['m0', 'm2'], endOf('2027-12-31')],
    [['m1'], endOf('2027-01-31')],
  ]);
  expect(plan).toMatchObject({
    changed: 3,
    unchanged: 1,
    earlier: 0,
    first: endOf('2027-01-31'),
    last: endOf('2027-12-31'),
  });
});

test('an end can be removed', () => {
  const plan = planEnds(group(endOf('2026-12-31'), null), { expiresAt: null }, zone);
  expect(stepsOf(plan)).toEqual([[['m0'], null]]);
  expect(plan).toMatchObject({ changed: 1, unchanged: 1, earlier: 0, first: null, last: null });
});
