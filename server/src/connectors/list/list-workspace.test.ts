import { expect, test } from 'vitest';
import type { ListDownload, ListVersion } from './list-download.ts';
import { readTable } from './list-table.ts';
import { ListWorkspace } from './list-workspace.ts';

const site = { timeZone: 'UTC', groupNames: new Set<string>() };
const signal = new AbortController().signal;
const toRead: { key: string; columns: { email: string; groupsEndAt?: string } } = {
  key: 'list',
  columns: { email: 'Email', groupsEndAt: 'Until' },
};

/** A list that never changes. */
function aList(text: string) {
  let now = new Date('2026-05-10T12:00:00Z');
  const download = {
    addressHash: 'address',
    get: async (known: ListVersion | undefined) =>
      known?.etag === '"1"'
        ? undefined
        : {
            list: { parts: [new TextEncoder().encode(text)], isBeginning: false },
            version: { etag: '"1"', lastModified: null },
          },
  } as unknown as ListDownload;
  const workspace = new ListWorkspace(download, 'Club', { site, readTable, clock: () => now });
  const read = async (token: string | null, columns = toRead.columns) => {
    const reading = await workspace.read({ ...toRead, columns }, token, signal);
    if (!reading) return undefined;
    const people = await Array.fromAsync(reading.people);
    return { people: people.map(({ email }) => email), token: reading.token };
  };
  const setTime = (time: string) => {
    now = new Date(time);
  };
  return { read, setTime };
}

test('a list that has not changed is read again as soon as a membership has ended', async () => {
  const { read, setTime } = aList('Email,Until\nada@example.com,2026-05-10\nbob@example.com,2026-05-20\n');
  const first = (await read(null))!;
  expect(first.people).toEqual(['ada@example.com', 'bob@example.com']);
  setTime('2026-05-10T23:59:59Z');
  expect(await read(first.token)).toBeUndefined();
  setTime('2026-05-11T00:00:00Z');
  const second = (await read(first.token))!;
  expect(second.people).toEqual(['bob@example.com']);
  expect(await read(second.token)).toBeUndefined();
});

test('a list is read again after the time zone of the site has changed', async () => {
  const { read } = aList('Email,Until\nada@example.com,2026-05-10\n');
  const { token } = (await read(null))!;
  expect(await read(token)).toBeUndefined();
  expect(await read(JSON.stringify({ ...JSON.parse(token!), timeZone: 'Asia/Tokyo' }))).toBeDefined();
});

test('a list without headings has its first person too, however the address is written', async () => {
  const { read } = aList('Ada <ada@example.com>,2026-05-20\nBob <bob@example.com>,2026-05-20\n');
  expect((await read(null, { email: 'Column 1' }))!.people).toHaveLength(2);
});
