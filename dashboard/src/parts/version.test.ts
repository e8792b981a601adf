import { GatehouseError } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { changeFields } from './version.ts';

const base = { data: { name: 'Course', memberCount: 1 }, etag: '"1"' };
const stale = new GatehouseError('Stale.', { code: 'precondition_failed', status: 412 });

/** A service that has another version than the one that was read. */
function change(newer: { name: string; memberCount: number }) {
  return changeFields({
    base,
    fields: ['name'],
    read: async () => ({ data: newer, etag: '"2"' }),
    send: async (etag) => {
      if (etag !== '"2"') throw stale;
      return etag;
    },
  });
}

test('a newer version is no reason to stop when what is changed is as it was', async () => {
  expect(await change({ name: 'Course', memberCount: 2 })).toBe('"2"');
});

test('what somebody else has changed meanwhile is not written over', async () => {
  await expect(change({ name: 'Renamed', memberCount: 1 })).rejects.toBe(stale);
});
