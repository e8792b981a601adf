import { expect, test } from 'vitest';
import { createIdGenerator, timeOfId } from './ids.ts';

test('a generator reports once that its ids are more than a minute ahead of the clock', () => {
  let now = Date.parse('2026-01-31T12:00:00.000Z');
  const reported: number[] = [];
  const newId = createIdGenerator(
    () => new Date(now),
    (lastTime) => reported.push(lastTime),
  );
  newId();
  now -= 60_000;
  newId();
  expect(reported).toEqual([]);
  now -= 1;
  const id = newId();
  newId();
  expect(reported).toEqual([Date.parse('2026-01-31T12:00:00.000Z')]);
  expect(timeOfId(id)).toBe('2026-01-31T12:00:00.000Z');
});
