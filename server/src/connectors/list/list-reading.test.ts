import type { Source, UpdateSource } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { type ListServer, startListServer } from '../../../test/list-server.ts';
import { scopeGroups, synchronize } from '../../../test/source-steps.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const day = 24 * 3_600_000;

type Columns = NonNullable<UpdateSource['collections']>[number]['columns'];

async function aList(body: string): Promise<ListServer> {
  const list = await startListServer(body);
  onTestFinished(() => list.stop());
  return list;
}

async function aSource(site: TestSite, { address }: ListServer, columns?: Columns): Promise<Source> {
  const body = { type: 'list', name: 'Club', address };
  const created = expectResponse('createSource', await site.post('/sources', body), 201).data;
  return columns ? choose(site, created, columns) : created;
}

async function choose(site: TestSite, { id }: Source, columns: Columns): Promise<Source> {
  const collections = [{ key: 'list', columns }];
  return expectResponse('updateSource', await site.patch(`/sources/${id}`, { collections }), 200).data;
}

const nameOf = async (site: TestSite, name: string) =>
  (await site.get(`/members?q=${name}@`)).body.data[0].displayName;

const previewOf = async (site: TestSite, { id }: Source) =>
  expectResponse('previewSourceCollection', await site.get(`/sources/${id}/collections/list/preview`), 200)
    .data;

forEachStore((store) => {
  const server = useTestServer(store);

  test('a name that is in several columns is not joined twice', async () => {
    const site = await server.createSite();
    const list = await aList(
      'Email,Name,First,Last\nada@example.com,Ada King,Ada,King\nbob@example.com,,Bob,Lee\ncy@example.com,"Roe, Cy",Cy,Roe\n',
    );
    const source = await aSource(site, list, {
      email: 'Email',
      displayName: 'Name',
      firstName: 'First',
      lastName: 'Last',
    });
    await synchronize(site, source);
    expect(await nameOf(site, 'ada')).toBe('Ada King');
    expect(await nameOf(site, 'bob')).toBe('Bob Lee');
    expect(await nameOf(site, 'cy')).toBe('Roe, Cy');
  });

  test('groups come from several columns, from columns named after them, and by the chosen separator', async () => {
    const site = await server.createSite();
    const list = await aList(
      'Email,Teams,Labels,Board\nada@example.com,"Rowing, Sailing",VIP,x\nbob@example.com,Rowing,,no\n',
    );
    const columns = { email: 'Email', groups: 'Teams', furtherGroups: ['Labels'], groupColumns: ['Board'] };
    const source = await aSource(site, list, { ...columns, groupSeparator: ',' });
    expect(source.collections[0]!.columns).toEqual({ ...columns, groupSeparator: ',' });
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({
      Rowing: ['ada', 'bob'],
      Sailing: ['ada'],
      VIP: ['ada'],
      Board: ['ada'],
    });
    await synchronize(site, await choose(site, source, { ...columns, groupSeparator: '' }), {
      confirmRemovals: true,
    });
    expect((await scopeGroups(site))['Rowing, Sailing']).toEqual(['ada']);
  });

  test('only active people are in the collection, and a state without a meaning changes nothing', async () => {
    const site = await server.createSite();
    const people = ['ada,Active', 'bob,Former', 'cy,blocked', 'dan,', 'eve,paused'];
    const list = await aList(
      ['Email,State', ...people]
        .map((row) => `${row.replace(',', '@example.com,')}\n`)
        .join('')
        .replace('Email@example.com', 'Email'),
    );
    const columns = {
      email: 'Email',
      status: 'State',
      statusWords: [{ word: 'FORMER', meaning: 'leftOut' as const }],
    };
    const source = await aSource(site, list, columns);
    const run = await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'dan'] });
    expect(run.collections[0]!.skippedPeople).toEqual([
      { place: 'row 6', value: 'paused', reason: 'invalid_status' },
    ]);
    list.body = String(list.body).replace('ada@example.com,Active', 'ada@example.com,on hold');
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'dan'] });
    list.body = String(list.body).replace('on hold', 'former');
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Club: ['dan'] });
  });

  const discourseList = (...rows: readonly string[]) =>
    ['username,email,name,trust_level,created_at,suspended_till,staged', ...rows]
      .map((row) => `${row}\n`)
      .join('');

  test('while a column of an export about the state is missing, nobody is read as active', async () => {
    const site = await server.createSite();
    const list = await aList(
      discourseList(
        'ada,ada@example.com,Ada,1,2024-03-01 12:00:00 UTC,,false',
        'bob,bob@example.com,Bob,1,2024-03-01 12:00:00 UTC,2999-01-01 00:00:00 UTC,false',
      ),
    );
    const source = await aSource(site, list);
    const { guess } = await previewOf(site, source);
    expect(guess).toMatchObject({ export: 'discourse', exportColumns: ['suspended_till', 'staged'] });
    await synchronize(site, await choose(site, source, guess!));
    expect(await scopeGroups(site)).toEqual({ Club: ['ada'] });
    const whole = String(list.body);
    const { exportColumns: _, ...withoutColumns } = guess!;
    for (const columns of [guess!, withoutColumns]) {
      list.body = whole.replace('suspended_till', 'suspended');
      const changed = await choose(site, source, columns);
      const run = await synchronize(site, changed);
      expect(run.collections[0]!.error).toMatchObject({
        code: 'columns_missing',
        message: expect.stringContaining('"suspended_till"'),
      });
      expect(await scopeGroups(site)).toEqual({ Club: ['ada'] });
    }
    list.body = whole.replace(',staged', ',stage');
    const run = await synchronize(site, await choose(site, source, guess!));
    expect(run.collections[0]!.error?.message).toContain('"staged"');
  });

  test('a list with suspensions that end is read again, although its version is the same', async () => {
    const site = await server.createSite();
    const suspended = 'bob,bob@example.com,Bob,1,2024-03-01 12:00:00 UTC,2999-01-01 00:00:00 UTC,false';
    const list = await aList(
      discourseList('ada,ada@example.com,Ada,1,2024-03-01 12:00:00 UTC,,false', suspended),
    );
    list.headers = { etag: '"1"' };
    const source = await aSource(site, list);
    const { guess } = await previewOf(site, source);
    await synchronize(site, await choose(site, source, guess!));
    await synchronize(site, source);
    expect(list.requests.map((headers) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['a state', 'blocked,', []],
    ['an end', ',2020-01-31', []],
    ['an open state', 'paused,', ['invalid_status']],
    ['an open end', ',soon', ['invalid_group_ends']],
  ])('a name that cannot be used does not hide %s', async (_, cells, reasons) => {
    const site = await server.createSite();
    const list = await aList(`Email,Name,State,Until\nada@example.com,${'x'.repeat(300)},${cells}\n`);
    const source = await aSource(site, list, {
      email: 'Email',
      displayName: 'Name',
      status: 'State',
      groupsEndAt: 'Until',
    });
    const run = await synchronize(site, source);
    expect(run.counts).toMatchObject({ created: 0, added: 0 });
    expect(run.collections[0]!.skippedPeople.map(({ reason }) => reason)).toEqual(reasons);
  });

  test('a state that is not known changes nothing, whatever all other words mean', async () => {
    const site = await server.createSite();
    const list = await aList(
      'Email,State\nada@example.com,active\nbob@example.com,active\ncy@example.com,former\n',
    );
    const source = await aSource(site, list, {
      email: 'Email',
      status: 'State',
      statusWords: [
        { word: '*', meaning: 'leftOut' },
        { word: '__proto__', meaning: 'active' },
      ],
    });
    await synchronize(site, source);
    list.body = String(list.body).replace('ada@example.com,active', 'ada@example.com,#REF!');
    const run = await synchronize(site, source);
    expect(run.collections[0]!.skippedPeople).toMatchObject([{ place: 'row 2', reason: 'unknown_value' }]);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'bob'] });
    list.body = 'Email,State\nada@example.com,constructor\nbob@example.com,__proto__\n';
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Club: ['bob'] });

    list.body = discourseList(
      'ada,ada@example.com,Ada,1,2024-03-01 12:00:00 UTC,#REF!,false',
      'bob,bob@example.com,,1,,,',
    );
    const { guess } = await previewOf(site, source);
    await synchronize(site, await choose(site, source, guess!));
    expect(await scopeGroups(site)).toEqual({ Club: ['bob'] });
    list.body = discourseList('ada,ada@example.com,Ada,1,,,false', 'bob,bob@example.com,,1,,#REF!,');
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'bob'] });
  });

  test('a collection that is one group follows the ends of an export', async () => {
    const site = await server.createSite();
    const row = (name: string, end: string) => `${name},${name}@example.com,Active patron,No,Gold,${end}\n`;
    const list = await aList(
      `Name,Email,Patron Status,Follows You,Tier,Access Expiration\n${row('ada', '2020-01-31')}${row('bob', '2999-01-31')}`,
    );
    const source = await aSource(site, list);
    const { guess } = await previewOf(site, source);
    expect(guess).toMatchObject({ export: 'patreon', groupsEndAt: 'Access Expiration' });
    await synchronize(site, await choose(site, source, guess!));
    expect(await scopeGroups(site)).toEqual({ Club: ['bob'] });
  });

  test('a group of a further column whose end cannot be read is not lost', async () => {
    const site = await server.createSite();
    const row = (end: string) => `Ada,ada@example.com,Active patron,No,Gold,${end},Team\n`;
    const headings = 'Name,Email,Patron Status,Follows You,Tier,Access Expiration,Label\n';
    const list = await aList(`${headings}${row('2999-01-31')}`);
    const source = await aSource(site, list);
    const { guess } = await previewOf(site, source);
    await synchronize(
      site,
      await choose(site, source, { ...guess!, groups: 'Label', furtherGroups: ['Tier'] }),
    );
    expect(await scopeGroups(site)).toEqual({ Gold: ['ada'], Team: ['ada'] });
    list.body = `${headings}${row('soon')}`;
    const run = await synchronize(site, source);
    expect(run.collections[0]!.skippedPeople).toMatchObject([
      { reason: 'invalid_group_ends', value: 'soon' },
    ]);
    expect(await scopeGroups(site)).toEqual({ Gold: ['ada'], Team: ['ada'] });
  });

  test('a membership ends after its last day in the zone of the site', async () => {
    const site = await server.createSite();
    expectResponse('updateSite', await site.patch('/site', { timeZone: 'Pacific/Auckland' }), 200);
    const dayAt = (time: number) =>
      new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format(new Date(time));
    const [today, yesterday] = [dayAt(Date.now()), dayAt(Date.now() - day)];
    const list = await aList(
      `Email,Until\nada@example.com,${today}\nbob@example.com,\ncy@example.com,${yesterday}\ndan@example.com,soon\n`,
    );
    list.headers = { etag: '"1"' };
    const source = await aSource(site, list, { email: 'Email', groupsEndAt: 'Until' });
    const run = await synchronize(site, source);
    expect(run.collections[0]!.skippedPeople).toMatchObject([
      { place: 'row 5', reason: 'invalid_group_ends' },
    ]);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'bob'] });
    list.body = String(list.body).replace('soon', '');
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'bob', 'dan'] });
  });

  test('in a time zone that is newer than this version, a list is not read, and nobody is removed', async () => {
    const site = await server.createSite();
    const list = await aList('Email,Until\nada@example.com,9990-01-31\n');
    const source = await aSource(site, list, { email: 'Email', groupsEndAt: 'Until' });
    await synchronize(site, source);
    await server.database.run(
      sql`UPDATE sites SET time_zone = 'Antarctica/Newest' WHERE id = ${site.siteId}`,
    );
    list.body = 'Email,Until\nbob@example.com,9990-01-31\n';
    const run = await synchronize(site, source);
    const message = expect.stringContaining('does not know Antarctica/Newest');
    expect(run.error).toEqual({ code: 'rejected', message });
    expect(await scopeGroups(site)).toEqual({ Club: ['ada'] });
  });

  test('an address is read with what people write around it', async () => {
    const site = await server.createSite();
    const list = await aList(
      'Email\nAda <ada@example.com>\nmailto:bob@example.com\ncy@example.com;\n\u200bdan@example.com\n',
    );
    await synchronize(site, await aSource(site, list, { email: 'Email' }));
    expect(await scopeGroups(site)).toEqual({ Club: ['ada', 'bob', 'cy', 'dan'] });
  });

  test('two names at one address are one person with both groups, and the second name is listed', async () => {
    const site = await server.createSite();
    const list = await aList('Email,Name,Teams\na@example.com,Ada,Rowing\na@example.com,Bob,Sailing\n');
    const source = await aSource(site, list, { email: 'Email', displayName: 'Name', groups: 'Teams' });
    const run = await synchronize(site, source);
    expect(run.collections[0]!.skippedPeople).toEqual([
      { place: 'row 3', value: 'Bob', reason: 'other_name' },
    ]);
    expect(await scopeGroups(site)).toEqual({ Rowing: ['a'], Sailing: ['a'] });
    expect(await nameOf(site, 'a')).toBe('Ada');
  });

  test('a preview says which export a list is, what is guessed, and what is open', async () => {
    const site = await server.createSite();
    const list = await aList(
      'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers\n' +
        '1,ada@example.com,Ada,,true,false,,2024-03-01T12:00:00.000Z,,"VIP,Board",Gold\n',
    );
    const source = await aSource(site, list);
    const preview = await previewOf(site, source);
    expect(preview.export).toEqual({ name: 'ghost', title: 'Ghost' });
    expect(preview.guess).toMatchObject({ email: 'email', displayName: 'name', export: 'ghost' });
    const offer = preview.questions.find(({ type }: { type: string }) => type === 'groups')!;
    expect(offer.columns).toEqual(expect.arrayContaining(['labels', 'tiers']));
    await synchronize(site, await choose(site, source, { ...preview.guess!, furtherGroups: offer.columns }));
    expect(await scopeGroups(site)).toEqual({ VIP: ['ada'], Board: ['ada'], Gold: ['ada'] });
  });

  test('rows that need an answer which nobody has given are listed, and their people stay as they are', async () => {
    const site = await server.createSite();
    const list = await aList(
      'Email,Groups,Until\nada@example.com,"Rowing, Board",\nbob@example.com,Rowing,\n',
    );
    const columns = { email: 'Email', groups: 'Groups', groupsEndAt: 'Until' };
    const source = await aSource(site, list, { ...columns, groupSeparator: ',' });
    await synchronize(site, source);
    const before = await scopeGroups(site);
    expect(before).toEqual({ Board: ['ada'], Rowing: ['ada', 'bob'] });
    list.body = 'Email,Groups,Until\nada@example.com,"Rowing, Sailing",\nbob@example.com,Rowing,03/04/2099\n';
    const { questions } = await previewOf(site, source);
    expect(questions.map(({ type }: { type: string }) => type)).toContain('groupSeparator');
    const open = await synchronize(site, await choose(site, source, columns));
    expect(open.collections[0]!.skippedPeople.map(({ reason }) => reason)).toEqual([
      'unclear_groups',
      'unclear_date',
    ]);
    expect(await scopeGroups(site)).toEqual(before);
    await synchronize(
      site,
      await choose(site, source, { ...columns, groupSeparator: ',', dateOrder: 'dayFirst' }),
      { confirmRemovals: true },
    );
    expect(await scopeGroups(site)).toMatchObject({ Rowing: ['ada', 'bob'], Sailing: ['ada'] });
  });

  test('the name of a group that the source has is not split', async () => {
    const site = await server.createSite();
    const list = await aList('Email,Teams\nada@example.com,"Board, Youth"\nbob@example.com,Youth\n');
    const columns = { email: 'Email', groups: 'Teams' };
    const source = await aSource(site, list, { ...columns, groupSeparator: '' });
    await synchronize(site, source);
    const run = await synchronize(site, await choose(site, source, columns));
    expect(run.counts).toMatchObject({ skipped: 0, removed: 0 });
    expect(await scopeGroups(site)).toEqual({ 'Board, Youth': ['ada'], Youth: ['bob'] });
  });

  test('an unknown export is rejected', async () => {
    const site = await server.createSite();
    const { id } = await aSource(site, await aList('Email\n'));
    const columns = { email: 'Email', export: 'nothing' };
    const answer = await site.patch(`/sources/${id}`, { collections: [{ key: 'list', columns }] });
    const error = expectResponse('updateSource', answer, 400, 'invalid_request');
    expect(error.details[0]!.path).toBe('/collections/0/columns/export');
  });
});
