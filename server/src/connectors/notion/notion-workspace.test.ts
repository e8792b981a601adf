import { describe, expect, test } from 'vitest';
import { columnKeys, startNotionReader } from '../../../test/notion-reader.ts';
import { CollectionGone } from '../../domain/sources/workspaces/workspace.ts';

describe('the collections', () => {
  test('are the data sources that are shared and not in the trash', async () => {
    const { notion, collections } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title' });
    notion.database('Private', { Name: 'title' }).isShared = false;
    notion.database('Old', { Name: 'title' }).inTrash = true;
    expect(await collections()).toEqual([{ key: team.id, name: 'Team' }]);
  });

  test('are named with their database if it has several', async () => {
    const { notion, collections, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email' });
    team.sibling('Former', { Name: 'title' });
    notion.database('', { Name: 'title' });
    expect((await collections()).map(({ name }) => name)).toEqual([
      'Team – Team',
      'Team – Former',
      'Untitled',
    ]);
    expect((await read(team)).name).toBe('Team – Team');
  });

  test('are all found, page by page', async () => {
    const { notion, collections } = await startNotionReader();
    for (let count = 0; count < 205; count++) notion.database(`List ${count}`, { Name: 'title' });
    expect(new Set((await collections()).map(({ name }) => name)).size).toBe(205);
  });
});

describe('everybody', () => {
  test('is read from 5,000 rows in 20 data sources', async () => {
    const { notion, read } = await startNotionReader();
    const sources = Array.from({ length: 20 }, (_, index) =>
      notion.database(`List ${index}`, { Name: 'title', Email: 'email' }),
    );
    for (const [index, source] of sources.entries()) {
      for (let row = 0; row < 250; row++)
        source.addRow({ Name: `${row}`, Email: `m${row}@list${index}.example` });
    }
    for (const [index, source] of sources.entries()) {
      const { emails, name, isGroup } = await read(source);
      expect({ name, isGroup, count: new Set(emails).size }).toEqual({
        name: `List ${index}`,
        isGroup: true,
        count: 250,
      });
    }
  });

  test('has a name, a payment and groups from the chosen columns', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', {
      Name: 'title',
      Email: 'email',
      Status: 'status',
      Teams: 'multi_select',
    });
    team.addRow({ Name: 'Ada', Email: 'ada@example.com', Status: 'Paid', Teams: ['Rowing', 'Chess'] });
    team.addRow({ Name: '', Email: 'bob@example.com', Status: 'Open' });
    const columns = { displayName: 'Name', paid: 'Status', groups: 'Teams' };
    const { people, isGroup } = await read(team, columns);
    expect(isGroup).toBe(false);
    expect(people).toEqual([
      { place: 'Ada', email: 'ada@example.com', displayName: 'Ada', paid: true, groups: ['Rowing', 'Chess'] },
      {
        place: expect.stringMatching(/^page [\da-f]{8}$/),
        email: 'bob@example.com',
        displayName: null,
        paid: false,
        groups: [],
      },
    ]);
    const { people: without } = await read(team);
    expect(without[0]).toEqual({ place: 'Ada', email: 'ada@example.com' });
  });

  test.each([
    ['checkbox', true, undefined, true],
    ['checkbox', false, ['Member'], false],
    ['select', 'Member', [' member '], true],
    ['select', 'Guest', ['member'], false],
    ['status', 'bezahlt', undefined, true],
    ['status', null, undefined, false],
    ['multi_select', ['Old', 'Member'], ['MEMBER'], true],
    ['rich_text', ' yes ', [], true],
    ['rich_text', 'no', [], false],
  ] as const)('has paid, judged by a %s with %j', async (type, value, paidValues, paid) => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email', Paid: type });
    for (const option of ['Member', 'Guest']) team.property('Paid').options.add(option);
    team.addRow({ Email: 'ada@example.com', Paid: value });
    const columns = { paid: 'Paid', ...(paidValues && { paidValues: [...paidValues] }) };
    expect((await read(team, columns)).people).toMatchObject([{ paid }]);
  });

  test.each([
    ['Ada <ada@example.com>', 'ada@example.com'],
    ['(mailto:ada@example.com)', 'ada@example.com'],
    ['ada@example.com; ada@example.com', 'ada@example.com'],
    [['ada@', 'example.com'], 'ada@example.com'],
    ['not an address', 'not an address'],
  ])('is read from the text %j, in which there may be a name', async (text, email) => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'rich_text' });
    team.addRow({ Name: 'Ada', Email: text });
    expect((await read(team, { displayName: 'Name' })).people).toEqual([
      { place: 'Ada', email, displayName: 'Ada' },
    ]);
  });

  test.each([
    ['email', 'ada@example.com, bob@example.com'],
    ['rich_text', 'ada@example.com;bob@example.com'],
    ['rich_text', 'Ada <ada@example.com> bob@example.com'],
    ['rich_text', 'ada@example.com (not bob@example.com)'],
  ] as const)('is reported if the %s has several addresses: %s', async (type, text) => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: type });
    team.addRow({ Name: 'Family', Email: text });
    expect((await read(team)).people).toEqual([{ place: 'Family', email: text }]);
  });

  test('is reported with the page if there is no address', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Email: 'title', Other: 'email' });
    team.addRow({ Email: 'not an address' });
    team.addRow({ Email: '' });
    expect((await read(team)).people).toEqual([
      { place: 'not an address', email: 'not an address' },
      { place: expect.stringMatching(/^page /), email: '' },
    ]);
    expect((await read(team, { email: 'Other' })).emails).toEqual(['', '']);
  });
});

describe('a property of people', () => {
  test('names several people, of whom bots do not count', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'people' });
    const ada = notion.person('Ada', 'ada@example.com');
    const bob = notion.person('Bob', 'bob@example.com');
    team.addRow({ Name: 'Pair', Email: [ada, notion.bot('Robot'), bob] });
    team.addRow({ Name: 'Only a bot', Email: [notion.bot('Robot')] });
    const { people } = await read(team, { displayName: 'Email' });
    expect(people).toEqual([
      { place: 'Pair', email: 'ada@example.com', displayName: 'Ada' },
      { place: 'Pair', email: 'bob@example.com', displayName: 'Bob' },
      { place: 'Only a bot', email: '', displayName: null },
    ]);
  });

  test('reports guests and groups whose addresses are not shown', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'people' });
    notion.person('Ada', 'ada@example.com');
    team.addRow({ Name: 'Guest', Email: [notion.personOutside('Eve')] });
    team.addRow({ Name: 'Group', Email: [notion.group('Everybody')] });
    expect((await read(team)).people).toEqual([
      { place: 'Guest', email: '' },
      { place: 'Group', email: '' },
    ]);
  });

  test.each(['none', 'without_addresses'] as const)(
    'cannot be read while the integration sees of people: %s',
    async (information) => {
      const { notion, read } = await startNotionReader();
      const team = notion.database('Team', { Name: 'title', Email: 'people' });
      team.addRow({ Name: 'Ada', Email: [notion.person('Ada', 'ada@example.com')] });
      notion.userInformation = information;
      await expect(read(team)).rejects.toMatchObject({
        name: 'CollectionUnreadable',
        code: 'rejected',
        message: expect.stringContaining('"Read user information including email addresses"'),
      });
    },
  );

  test('cannot be read if the capability is taken away meanwhile', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'people' });
    const ada = notion.person('Ada', 'ada@example.com');
    for (let row = 0; row < 150; row++) team.addRow({ Name: `${row}`, Email: [ada] });
    notion.onRequest = ({ body }) => {
      if (body.start_cursor) notion.userInformation = 'none';
      return undefined;
    };
    await expect(read(team)).rejects.toMatchObject({ code: 'rejected' });
  });
});

describe('a column', () => {
  test('stays the same when it is renamed', async () => {
    const { notion, open, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email' });
    team.addRow({ Email: 'ada@example.com' });
    const columns = columnKeys(team, {});
    team.property('Email').name = 'Adresse';
    const reading = await open().read({ key: team.id, columns }, null, new AbortController().signal);
    expect(await Array.fromAsync(reading.people)).toMatchObject([{ email: 'ada@example.com' }]);
    expect((await read(team, { email: 'Adresse' })).emails).toEqual(['ada@example.com']);
  });

  test('that was deleted or got an unusable type makes the collection unreadable', async () => {
    const { notion, open } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email', Teams: 'multi_select' });
    const columns = columnKeys(team, { groups: 'Teams' });
    team.property('Email').type = 'formula';
    team.deleteProperty('Teams');
    const reading = open().read({ key: team.id, columns }, null, new AbortController().signal);
    await expect(reading).rejects.toMatchObject({
      name: 'CollectionUnreadable',
      code: 'columns_missing',
      message: expect.stringMatching(/"Email" \(email addresses\) and the column for groups/),
    });
  });

  test('that is deleted while it is read removes nobody', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email' });
    for (let row = 0; row < 150; row++) team.addRow({ Email: `${row}@example.com` });
    notion.onRequest = ({ body }) => {
      if (body.start_cursor) team.deleteProperty('Email');
      return undefined;
    };
    await expect(read(team)).rejects.toMatchObject({ code: 'columns_missing' });
  });

  test('that gets another type while it is read removes nobody', async () => {
    const { notion, read } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email' });
    for (let row = 0; row < 150; row++) team.addRow({ Email: `${row}@example.com` });
    notion.onRequest = ({ body }) => {
      if (body.start_cursor) team.property('Email').type = 'number';
      return undefined;
    };
    await expect(read(team)).rejects.toMatchObject({ code: 'columns_missing' });
  });

  test('with none of the values that mean paid makes the collection unreadable', async () => {
    const { notion, open } = await startNotionReader();
    const team = notion.database('Team', { Name: 'title', Email: 'email', Status: 'select' });
    team.addRow({ Email: 'ada@example.com', Status: 'Member' });
    const columns = { ...columnKeys(team, { paid: 'Status' }), paidValues: ['member'] };
    const read = () => open().read({ key: team.id, columns }, null, new AbortController().signal);
    expect(await Array.fromAsync((await read()).people)).toMatchObject([{ paid: true }]);
    team.property('Status').options.delete('Member');
    team.property('Status').options.add('Patron');
    await expect(read()).rejects.toMatchObject({ code: 'columns_missing' });
  });

  test('must be chosen', async () => {
    const { notion, open } = await startNotionReader();
    const { id: key } = notion.database('Team', { Name: 'title' });
    const reading = open().read({ key, columns: null }, null, new AbortController().signal);
    await expect(reading).rejects.toMatchObject({ code: 'columns_missing' });
  });
});

describe('a data source', () => {
  test.each([
    ['in the trash', { inTrash: true }],
    ['no longer shared', { isShared: false }],
  ])('that is %s is gone', async (_, state) => {
    const { notion, read, preview } = await startNotionReader();
    const team = Object.assign(notion.database('Team', { Email: 'email' }), state);
    await expect(read(team)).rejects.toBeInstanceOf(CollectionGone);
    await expect(preview(team)).rejects.toBeInstanceOf(CollectionGone);
  });

  test('whose key is not an id is gone, and no request is sent', async () => {
    const { notion, open } = await startNotionReader();
    for (const key of ['', '../users', 'x/query?', `${'a'.repeat(32)}/query`]) {
      const collection = { key, columns: { email: 'title' } };
      await expect(open().read(collection, null, new AbortController().signal)).rejects.toBeInstanceOf(
        CollectionGone,
      );
    }
    expect(notion.requests).toEqual([]);
  });
});
