import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ApiKey } from '../domain/api-keys/api-key.ts';
import { recordKeyUses } from './recorded-use.ts';

test('the use of a key is written once an hour, and a minute after a failed write again', async () => {
  const results = [false, true, true];
  let written = 0;
  const run = async () => {
    written += 1;
    if (!results.shift()) throw new Error('The database is busy.');
  };
  const recordUse = recordKeyUses({ run } as never, pino({ level: 'silent' }));
  const key = { siteId: 'site', id: 'key' } as ApiKey;
  const use = async (time: string) => {
    recordUse(key, `2026-01-31T${time}:00.000Z`);
    await new Promise(setImmediate);
    return written;
  };
  expect(await use('12:00')).toBe(1);
  expect(await use('12:00')).toBe(1);
  expect(await use('12:01')).toBe(2);
  expect(await use('12:59')).toBe(2);
  expect(await use('13:00')).toBe(3);
});
