import { expect, test } from 'vitest';
import { LineLimit } from './line-limit.ts';

test('more lines than the limit are omitted, and counted with the first line of the next window', () => {
  let now = 5_000;
  const limit = new LineLimit(2, 1_000, () => now);
  expect([limit.next(), limit.next(), limit.next(), limit.next()]).toEqual([0, 0, undefined, undefined]);
  now += 1_000;
  expect([limit.next(), limit.next(), limit.next()]).toEqual([2, 0, undefined]);
});
