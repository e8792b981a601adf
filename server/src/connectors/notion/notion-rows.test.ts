import { describe, expect, test } from 'vitest';
import { startNotionReader } from '../../../test/notion-reader.ts';

const minute = 60_000;

/** A data source whose rows were created a minute after each other. */
async function startWithRows(count: number) {
  const reader = await startNotionReader();
  const team = reader.notion.database('Team', { Name: 'title', Email: 'email' });
  const begin = reader.clock().getTime() - (count + 10) * minute;
  for (let row = 0; row < count; row++) {
    team.addRow({ Email: emailOf(row) }, new Date(begin + row * minute));
  }
  return { ...reader, team };
}

function emailOf(row: number): string {
  return `m${row}@example.com`;
}

const emailsOf = (count: number) => Array.from({ length: count }, (_, row) => emailOf(row));

describe('a query that ends early', () => {
  test('is continued with the time at which the last row was created', async () => {
    const { notion, team, read } = await startWithRows(950);
    notion.maxQueryRows = 210;
    const { emails } = await read(team);
    expect(emails).toEqual(emailsOf(950));
  });

  test('is continued although many rows were created in one minute', async () => {
    const { notion, team, clock, read } = await startWithRows(100);
    for (let row = 100; row < 290; row++) team.addRow({ Email: emailOf(row) }, clock());
    notion.maxQueryRows = 200;
    expect((await read(team)).emails).toEqual(emailsOf(290));
  });

  test('never returns a part of the rows as all', async () => {
    const { notion, team, clock, read } = await startWithRows(10);
    for (let row = 10; row < 260; row++) team.addRow({ Email: emailOf(row) }, clock());
    notion.maxQueryRows = 200;
    await expect(read(team)).rejects.toMatchObject({
      name: 'CollectionUnreadable',
      code: 'incomplete',
      message: expect.stringContaining('same minute'),
    });
  });
});

describe('while rows are read', () => {
  test('a cursor that becomes invalid begins the query again', async () => {
    const { notion, team, read } = await startWithRows(350);
    let pages = 0;
    notion.onRequest = ({ body }) => {
      // The row with which the third page would begin.
      if (body.start_cursor && ++pages === 2) team.rows[200]!.inTrash = true;
      return undefined;
    };
    const { emails } = await read(team);
    expect(emails).toEqual(emailsOf(350).filter((email) => email !== emailOf(200)));
  });

  test('cursors that never work make the collection incomplete', async () => {
    const { notion, team, read } = await startWithRows(150);
    notion.onRequest = ({ body }) => (body.start_cursor ? { status: 400 } : undefined);
    await expect(read(team)).rejects.toMatchObject({ name: 'CollectionUnreadable', code: 'incomplete' });
    expect(notion.requests.filter(({ body }) => body.start_cursor)).toHaveLength(3);
  });

  test('rows that are edited or deleted between two pages hide no other row', async () => {
    const { notion, team, read } = await startWithRows(350);
    let pages = 0;
    notion.onRequest = ({ body }) => {
      if (body.start_cursor && ++pages === 1) {
        team.rows[5]!.inTrash = true;
        team.rows[250]!.edit({ Name: 'New' });
        team.addRow({ Email: 'new@example.com' });
      }
      return undefined;
    };
    const { emails } = await read(team);
    expect(emails).toEqual([...emailsOf(350), 'new@example.com']);
  });

  test('a list without a cursor for the rest is not complete', async () => {
    const { notion, team, read } = await startWithRows(1);
    const body = { object: 'list', results: [], has_more: true, next_cursor: null };
    notion.onRequest = ({ path }) =>
      path.endsWith('/query') ? { status: 200, text: JSON.stringify(body) } : undefined;
    await expect(read(team)).rejects.toMatchObject({ name: 'WorkspaceUnavailable', code: 'unavailable' });
  });
});

test('rows in the trash are not read', async () => {
  const { team, read } = await startWithRows(3);
  team.showsTrash = true;
  team.rows[1]!.inTrash = true;
  expect((await read(team)).emails).toEqual([emailOf(0), emailOf(2)]);
});

test('only the columns that are used are requested', async () => {
  const { notion, team, read } = await startWithRows(1);
  await read(team);
  const query = notion.requests.find(({ path }) => path.endsWith('/query'));
  expect(query?.query.getAll('filter_properties')).toEqual(['title', decodeURIComponent(team.key('Email'))]);
});
