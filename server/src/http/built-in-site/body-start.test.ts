import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { receiveStart } from './body-start.ts';
import { ByteBudget } from './byte-budget.ts';

const kilobyte = 1024;

test('a body is received completely, in parts of any size, and its memory is released', async () => {
  const budget = new ByteBudget(64 * kilobyte);
  const body = new PassThrough();
  const received = receiveStart(body, 100 * kilobyte, budget);
  for (let each = 0; each < 20_000; each += 1) body.write(String(each % 10));
  body.end();
  const start = (await received)!;
  expect([start.bytes.length, start.isComplete]).toEqual([20_000, true]);
  expect(start.bytes.toString()).toBe('0123456789'.repeat(2_000));
  expect(budget.reserve(64 * kilobyte)).toBe(false);
  start.release();
  start.release();
  expect(budget.reserve(64 * kilobyte)).toBe(true);
  expect(budget.reserve(1)).toBe(false);
});

test.each([
  ['is longer than its limit', 40 * kilobyte, 1_000 * kilobyte],
  ['finds no memory', 1_000 * kilobyte, 40 * kilobyte],
])('of a body that %s, the rest stays in the stream', async (_, maxBytes, free) => {
  const body = new PassThrough({ highWaterMark: 100 * kilobyte });
  const received = receiveStart(body, maxBytes, new ByteBudget(free));
  for (let each = 0; each < 100; each += 1) body.write(Buffer.alloc(kilobyte, String(each % 10)));
  body.end();
  const start = (await received)!;
  expect([start.isComplete, start.bytes.length < 100 * kilobyte]).toEqual([false, true]);
  const rest: Buffer[] = [];
  for await (const part of body) rest.push(part);
  const whole = Buffer.concat([start.bytes, ...rest]);
  expect(whole.length).toBe(100 * kilobyte);
  for (let each = 0; each < 100; each += 1) expect(whole[each * kilobyte]).toBe(48 + (each % 10));
});

test('a visitor who leaves before the end releases the memory', async () => {
  const budget = new ByteBudget(64 * kilobyte);
  const body = new PassThrough();
  const received = receiveStart(body, 100 * kilobyte, budget);
  body.write('beginning');
  setImmediate(() => body.destroy());
  expect(await received).toBeUndefined();
  expect(budget.reserve(64 * kilobyte)).toBe(true);
});
