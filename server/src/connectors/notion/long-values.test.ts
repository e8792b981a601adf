import { expect, test } from 'vitest';
import { kindsOf, startNotionReader } from '../../../test/notion-reader.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A data source with a row of many people, edited an hour ago. */
async function startWithPeople(count: number) {
  const reader = await startNotionReader();
  const { notion, clock } = reader;
  const team = notion.database('Team', { Name: 'title', Email: 'people', Text: 'rich_text' });
  const people = Array.from({ length: count }, (_, index) =>
    notion.person(`P${index}`, `p${index}@example.com`),
  );
  const row = team.addRow({ Name: 'All', Email: people }, new Date(clock().getTime() - 60 * minute));
  const propertyRequests = () => kindsOf(notion.requests).filter((kind) => kind.startsWith('pages/')).length;
  return { ...reader, team, row, people, propertyRequests };
}

test('people and texts of which a query returns a part are read completely', async () => {
  const { team, read, row, propertyRequests } = await startWithPeople(230);
  expect(new Set((await read(team)).emails).size).toBe(230);
  expect(propertyRequests()).toBe(3);
  const pieces = Array.from({ length: 130 }, (_, index) => [`t${index}@exam`, 'ple.com ']).flat();
  row.edit({ Text: pieces, Name: pieces });
  const whole = pieces.join('').trim();
  expect((await read(team, { email: 'Text' })).emails).toEqual([whole]);
  expect((await read(team, { email: 'Name' })).emails).toEqual([whole]);
});

test('a text that is too long for an address is not read to its end, and is none', async () => {
  const { team, read, row, propertyRequests } = await startWithPeople(3);
  const pieces = Array.from({ length: 1_000 }, () => 'x'.repeat(2_000));
  row.edit({ Text: ['ada@example.com ', ...pieces, 'bob@example.com'] });
  const [text, ...others] = (await read(team, { email: 'Text' })).emails;
  expect(others).toEqual([]);
  expect(text).toMatch(/^ada@example\.com xxx/);
  expect(propertyRequests()).toBe(1);
});

test('only so many long values are remembered, and the others are read again', async () => {
  const { notion, team, read, clock, advance } = await startWithPeople(30);
  const people = Array.from({ length: 30 }, (_, index) =>
    notion.person('x'.repeat(10_000), `q${index}@example.com`),
  );
  for (let row = 0; row < 20; row += 1) team.addRow({ Name: `Row ${row}`, Email: people }, clock());
  advance(60 * minute);
  const first = await read(team);
  expect(first.token!.length).toBeLessThan(4_010_000);
  expect(first.token!.length).toBeGreaterThan(3_000_000);
  expect(new Set((await read(team, {}, first.token)).emails)).toEqual(new Set(first.emails));
});

test('a value with fewer items needs no request of its own', async () => {
  const { team, read, propertyRequests } = await startWithPeople(24);
  expect((await read(team)).emails).toHaveLength(24);
  expect(propertyRequests()).toBe(0);
});

test('a value of a page that has not changed is not requested again for a day', async () => {
  const { team, read, advance, propertyRequests } = await startWithPeople(30);
  const first = await read(team);
  advance(23 * 60 * minute);
  const second = await read(team, {}, first.token);
  expect(second).toEqual(first);
  expect(propertyRequests()).toBe(1);
  advance(day);
  const third = await read(team, {}, second.token);
  expect(propertyRequests()).toBe(2);
  expect(third.emails).toEqual(first.emails);
});

test('a value of a page that was edited is requested again', async () => {
  const { team, read, row, people, advance } = await startWithPeople(30);
  const { token } = await read(team);
  advance(5 * minute);
  row.edit({ Email: people.slice(0, 28) });
  expect((await read(team, {}, token)).emails).toHaveLength(28);
});

test('a page may change again within the minute of its last edit', async () => {
  const { team, read, row, people } = await startWithPeople(30);
  row.edit({ Name: 'Everybody' });
  const { token } = await read(team);
  row.edit({ Email: people.slice(0, 28) });
  expect((await read(team, {}, token)).emails).toHaveLength(28);
});

test('the token stays the same while nothing changes, and is known after everybody was read', async () => {
  const { notion, team, read, open, clock, advance } = await startWithPeople(30);
  for (let row = 0; row < 5; row++) {
    const people = Array.from({ length: 26 }, (_, index) =>
      notion.person('', `r${row}p${index}@example.com`),
    );
    team.addRow({ Email: people }, new Date(clock().getTime() - 60 * minute));
  }
  const { token } = await read(team);
  advance(minute);
  expect((await read(team, {}, token)).token).toBe(token);
  const collection = { key: team.id, columns: { email: team.key('Email') } };
  const reading = await open().read(collection, token, new AbortController().signal);
  expect(reading.token).toBeNull();
});

test('a token that is not of Notion is ignored', async () => {
  const { team, read } = await startWithPeople(30);
  for (const token of ['', 'null', '[]', '{"long":5}', 'W/"etag"']) {
    expect((await read(team, {}, token)).emails).toHaveLength(30);
  }
});

test('people whose addresses were not shown are requested again', async () => {
  const { notion, team, read, row, people } = await startWithPeople(30);
  const outside = notion.personOutside('Eve');
  row.write({ Email: [...people, outside] });
  const { emails, token } = await read(team);
  expect(emails.at(-1)).toBe('');
  outside.email = 'eve@example.com';
  expect((await read(team, {}, token)).emails.at(-1)).toBe('eve@example.com');
});

test('a page that is deleted before its value is read lists nobody', async () => {
  const { notion, team, row, read } = await startWithPeople(30);
  team.addRow({ Email: [notion.person('Ada', 'ada@example.com')] });
  notion.onRequest = ({ path }) => {
    if (path.includes('/properties/')) row.inTrash = true;
    return undefined;
  };
  expect((await read(team)).emails).toEqual(['ada@example.com']);
});

test('a data source that is no longer shared before a value is read is gone', async () => {
  const { notion, team, read } = await startWithPeople(30);
  notion.onRequest = ({ path }) => {
    if (path.includes('/properties/')) team.isShared = false;
    return undefined;
  };
  await expect(read(team)).rejects.toMatchObject({ name: 'CollectionGone' });
});

test('a column that is deleted before a value is read is missing', async () => {
  const { notion, team, read } = await startWithPeople(30);
  notion.onRequest = ({ path }) => {
    if (path.includes('/properties/')) team.deleteProperty('Email');
    return undefined;
  };
  await expect(read(team)).rejects.toMatchObject({ code: 'columns_missing' });
});
