import { type Call, GatehouseError } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { changeFields, saveChanged } from './version.ts';

const base = { data: { name: 'Course', memberCount: 1 }, etag: '"1"' };
const stale = new GatehouseError('Stale.', { code: 'precondition_failed', status: 412 });

/** A server with another version than the one that was loaded. */
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

test('a newer version is no conflict if the changed fields are the same', async () => {
  expect(await change({ name: 'Course', memberCount: 2 })).toBe('"2"');
});

test('fields that another operator has changed are not overwritten', async () => {
  await expect(change({ name: 'Renamed', memberCount: 1 })).rejects.toBe(stale);
});

test('a state that changes all the time is no conflict', async () => {
  let version = 1;
  const progress = (until: number, name = 'Course') =>
    changeFields({
      base: { data: { name: 'Course', percent: 1 }, etag: '"1"' },
      fields: ['name'],
      read: async () => ({ data: { name, percent: version }, etag: `"${version}"` }),
      send: async (etag) => {
        version += 1;
        if (version < until) throw stale;
        return etag;
      },
    });
  expect(await progress(5)).toBe('"4"');
  await expect(progress(1_000)).rejects.toBe(stale);
  await expect(progress(1_000, 'Renamed')).rejects.toBe(stale);
});

test('a form sends only the values that were changed, and nothing if none was', async () => {
  const sent: unknown[] = [];
  const save = (name: string) =>
    saveChanged({
      base,
      before: base.data,
      values: { ...base.data, name },
      read: () => Promise.reject(stale) as unknown as Call<typeof base.data>,
      send: async (changes, etag) => {
        sent.push([changes, etag]);
        return { ...base.data, ...changes };
      },
    });
  expect(await save('Course')).toBe(base.data);
  expect(sent).toEqual([]);
  expect(await save('Renamed')).toEqual({ name: 'Renamed', memberCount: 1 });
  expect(sent).toEqual([[{ name: 'Renamed' }, '"1"']]);
});
