import { expect, onTestFinished, test } from 'vitest';
import { movableTime } from '../../../test/movable-time.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { ListThread } from './list-thread.ts';

const minute = 60_000;

function aThread(entry?: URL) {
  const { timers, advance } = movableTime();
  const thread = new ListThread(timers, entry);
  onTestFinished(async () => {
    const closing = thread.close();
    advance(minute);
    await closing;
  });
  const open = (text: string, isBeginning = false) =>
    thread.readTable({ parts: [new TextEncoder().encode(text)], isBeginning });
  return { open, advance };
}

const read = (table: Awaited<ReturnType<ListThread['readTable']>>) => Array.fromAsync(table.rows());

const serveCalls = new URL('serve-calls.ts', import.meta.url);

/** A thread that opens lists in another way. */
function entryWith(open: string): URL {
  const code = `
    import { serveCalls } from '${serveCalls}';
    let lists = 0;
    await serveCalls('lists', () => ({ calls: { open() { ${open} }, read: () => process.exit(1), close() {} } }));`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** It says in its heading how many lists it has opened, and ends when it is asked for rows. */
const entry = entryWith('lists += 1; return { list: lists, headings: [String(lists)] };');

test('a list is read in parts: its rows, how to read them, and the people in them', async () => {
  const { open } = aThread();
  const rows = Array.from({ length: 3_000 }, (_, index) => `p${index}@example.org,${index},x`);
  const table = await open(`Email,Name,\n${rows.join('\n')}`);
  expect(table.headings).toEqual(['Email', 'Name', 'Column 3']);
  const found = await read(table);
  expect(found).toHaveLength(3_000);
  expect(found[2_999]).toEqual({ line: 3_001, values: ['p2999@example.org', '2999', 'x'] });
  const groupNames = new Set<string>();
  const { reading } = await table.propose({}, { timeZone: 'UTC', groupNames });
  expect(reading.columns).toMatchObject({ email: 0, displayName: 1 });
  const people = table.people({
    reading,
    headings: table.headings,
    groupNames,
    now: new Date(),
    mapping: { email: 'Email', displayName: 'Name' },
  });
  expect((await Array.fromAsync(people))[2_999]).toEqual({
    place: 'row 3001',
    email: 'p2999@example.org',
    displayName: '2999',
  });
  table.close();
});

test('a list that cannot be read says why, and the rows before it are returned', async () => {
  const { open } = aThread();
  await expect(open('<html>')).rejects.toThrow(CollectionUnreadable);
  const table = await open('Email\nada@example.org\n"bob"x\n');
  const found: unknown[] = [];
  const reading = (async () => {
    for await (const row of table.rows()) found.push(row);
  })();
  await expect(reading).rejects.toMatchObject({
    code: 'incomplete',
    message: expect.stringContaining('Row 3'),
  });
  expect(found).toEqual([{ line: 2, values: ['ada@example.org'] }]);
  table.close();
});

test('one whole list is open at a time, and beginnings do not wait', async () => {
  const { open } = aThread();
  const first = await open('One\n1\n');
  let isOpen = false;
  const second = open('Two\n2\n').then((table) => {
    isOpen = true;
    return table;
  });
  const beginning = await open('Three\n3\n4\n', true);
  expect(await read(beginning)).toHaveLength(2);
  expect(isOpen).toBe(false);
  first.close();
  expect((await second).headings).toEqual(['Two']);
});

test('the thread ends when no list was open for a minute, and starts again with the next one', async () => {
  const { open, advance } = aThread(entry);
  const [first, second] = [await open('a'), await open('a')];
  expect([first.headings, second.headings]).toEqual([['1'], ['2']]);
  first.close();
  advance(minute);
  expect((await open('a')).headings).toEqual(['3']);
  second.close();
  advance(minute);
  expect((await open('a')).headings).toEqual(['4']);
});

test('a thread that ends fails the lists that are open, and the next list starts another one', async () => {
  const { open } = aThread(entry);
  const table = await open('a');
  await expect(read(table)).rejects.toThrow('ended');
  await expect(read(table)).rejects.toThrow('ended');
  table.close();
  expect((await open('a')).headings).toEqual(['1']);
});

test('a list that needs more memory than the thread may have is too large', async () => {
  const full = 'for (const all = []; ; ) all.push(new Array(1_000_000).fill(0));';
  const { open } = aThread(entryWith(full));
  await expect(open('a')).rejects.toMatchObject({ code: 'too_large' });
});
