import { expect, test } from 'vitest';
import { type CountBatch, GroupCounter, GroupLimiter } from './group-limits.ts';

/** Limiters of several processes, and what they have sent. */
function group(processes: number) {
  const counter = new GroupCounter();
  const batches: CountBatch[] = [];
  const limiters = Array.from({ length: processes }, (_, index) => {
    const limiter: GroupLimiter = new GroupLimiter((batch) => {
      batches.push(batch);
      // A message that arrives late does not mix up the counts.
      const late = index % 2 === 0 ? 5 : 0;
      setTimeout(async () => limiter.receive(await counter.count(batch)), late);
    });
    return limiter;
  });
  return { limiters, batches };
}

test('processes of a group count together, each request once', async () => {
  const { limiters } = group(4);
  const counts = await Promise.all(
    Array.from({ length: 400 }, async (_, index) => {
      // Some of them in a later batch.
      if (index % 3 === 0) await new Promise(setImmediate);
      const { consumedPoints } = await limiters[index % 4]!.consume('key');
      return consumedPoints;
    }),
  );
  expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
});

test('requests of one turn of the event loop are sent together, each with the window of its bucket', async () => {
  const { limiters, batches } = group(1);
  const [one, two, other] = await Promise.all([
    limiters[0]!.consume('one'),
    limiters[0]!.consume('one'),
    limiters[0]!.consume('other', 1, { customDuration: 900 }),
  ]);
  expect(batches.map(({ requests }) => requests)).toEqual([
    [
      ['one', 60, 1],
      ['one', 60, 1],
      ['other', 900, 1],
    ],
  ]);
  expect([one, two, other].map(({ consumedPoints }) => consumedPoints)).toEqual([1, 2, 1]);
  expect(one!.msBeforeNext).toBeLessThanOrEqual(60_000);
  expect(other!.msBeforeNext).toBeGreaterThan(60_000);
});

test('a request may count for several points', async () => {
  const { limiters } = group(2);
  await limiters[0]!.consume('key', 40);
  expect((await limiters[1]!.consume('key', 2)).consumedPoints).toBe(42);
});

test('while the process that counts does not answer, each process counts on its own', async () => {
  const limiter = new GroupLimiter(() => {}, 1);
  const counts = await Promise.all([limiter.consume('key'), limiter.consume('key')]);
  expect(counts.map(({ consumedPoints }) => consumedPoints)).toEqual([1, 2]);
  expect((await limiter.consume('key')).consumedPoints).toBe(3);
});
