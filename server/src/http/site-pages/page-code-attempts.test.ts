import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../storage/errors.ts';
import { createRateLimits } from '../shared/limits/rate-limit.ts';
import { PageCodeAttempts } from './page-code-attempts.ts';

const from = (ip: string, siteId = 'a') => ({ ip, site: { id: siteId } }) as unknown as FastifyRequest;
const attemptsOf = async () => new PageCodeAttempts(await createRateLimits(undefined, () => {}));

test('right codes of a client are limited too, and do not free a wrong one', async () => {
  const attempts = await attemptsOf();
  const enter = (isRight: boolean, siteId?: string) =>
    attempts.check(from('192.0.2.1', siteId), async () => isRight);
  for (let index = 0; index < 490; index += 1) expect(await enter(true)).toBe(0);
  for (let index = 0; index < 10; index += 1) expect(await enter(false)).toBe(0);
  expect(await enter(true)).toBeGreaterThan(0);
  expect(await enter(false)).toBeGreaterThan(0);
  expect(await enter(true, 'b')).toBe(0);
});

test('two attempts of a client are checked at once, and a few others wait', async () => {
  const attempts = await attemptsOf();
  const checked: (() => void)[] = [];
  let started = 0;
  const enter = (ip: string) =>
    attempts.check(from(ip), () => {
      started += 1;
      return new Promise((resolve) => checked.push(() => resolve(true)));
    });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
  const all = Array.from({ length: 102 }, (_, index) => enter(`2001:db8:1:${index}::1`));
  await settled();
  expect(started).toBe(2);
  await expect(enter('2001:db8:1:ff::1')).rejects.toThrow(StoreUnavailable);
  const other = enter('192.0.2.2');
  await settled();
  expect(started).toBe(3);
  let isOver = false;
  const ended = Promise.all([...all, other]).then((waits) => {
    isOver = true;
    return waits;
  });
  while (!isOver) {
    for (const end of checked.splice(0)) end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(new Set(await ended)).toEqual(new Set([0]));
  expect(started).toBe(103);
});
