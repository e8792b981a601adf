import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { type CommandOptions, commandsOn, commandsWith, temporaryFile } from '../../../test/command-line.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const start = async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const ofTeam = ['scope', 'sync', '--site', slug, '--collection', 'Team', '--json'];
    const syncAs = (commandOptions: CommandOptions, people: string, ...options: string[]) =>
      commandsOn(server.databaseUrl)(
        [...ofTeam, temporaryFile('people.csv', people), ...options],
        commandOptions,
      );
    const sync = (people: string, ...options: string[]) => syncAs({}, people, ...options);
    const group = async () =>
      (await site.get('/access-groups?type=scope')).body.data.find(
        (each: { name: string }) => each.name === 'Team',
      );
    const people = async () => {
      const { data } = (await site.get(`/access-groups/${(await group()).id}/members`)).body;
      return data.map(({ email }: { email: string }) => email).sort();
    };
    return { site, sync, syncAs, group, people };
  };

  test('a collection becomes a group, and its people become members', async () => {
    const { site, sync, group, people } = await start();
    await site.post('/members', { email: 'ada@example.com', displayName: 'Ada' });
    const { exitCode, json } = await sync('E-Mail;Name\nADA@example.com;\nbob@example.com;Bob\n');
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      status: 'succeeded',
      counts: { read: 2, created: 1, added: 2, removed: 0 },
    });
    expect(await group()).toMatchObject({ type: 'scope', name: 'Team', memberCount: 2 });
    expect(await people()).toEqual(['ada@example.com', 'bob@example.com']);
    expect((await site.get('/members?q=bob')).body.data[0]).toMatchObject({
      displayName: 'Bob',
      status: 'active',
    });
  });

  test('a name that a spreadsheet could not compute changes nothing and is listed', async () => {
    const { site, sync, people } = await start();
    await sync('email,displayName\nada@example.com,Ada\nbob@example.com,Bob\n');
    const file = 'email,displayName\nada@example.com,#REF!\nbob@example.com,Bob\ncy@example.com,Loading...\n';
    const { slug } = (await site.get('/site')).body.data;
    const { stdout } = await commandsOn(server.databaseUrl)([
      'scope',
      'sync',
      temporaryFile('people.csv', file),
      '--site',
      slug,
      '--collection',
      'Team',
    ]);
    for (const skipped of ['person 1: the value is not known', 'person 3: the value is not known'])
      expect(stdout).toContain(`skipped ${skipped}`);
    expect((await site.get('/members?q=ada')).body.data[0].displayName).toBe('Ada');
    expect(await people()).toEqual(['ada@example.com', 'bob@example.com']);
  });

  test('a later file adds, removes from the group, and renames; members remain', async () => {
    const { site, sync, group, people } = await start();
    const names = ['ada', 'bob', 'cy', 'dan', 'eve', 'flo'];
    await sync(`email,displayName\n${names.map((name) => `${name}@example.com,${name}`).join('\n')}`);
    const { json } = await sync(
      'email,displayName\nada@example.com,Ada King\nbob@example.com,\ncy@example.com,cy\ndan@example.com,dan\neve@example.com,eve\ngus@example.com,Gus',
    );
    expect(json.counts).toMatchObject({ read: 6, created: 1, added: 1, changed: 1, removed: 1 });
    expect((await site.get('/members?q=ada')).body.data[0].displayName).toBe('Ada King');
    expect((await site.get('/members?q=bob')).body.data[0].displayName).toBe('bob');
    expect((await group()).memberCount).toBe(6);
    expect(await people()).not.toContain('flo@example.com');
    expect((await site.get('/members')).body.data).toHaveLength(7);
    expect(
      (
        await sync(
          'email\nada@example.com\nbob@example.com\ncy@example.com\ndan@example.com\neve@example.com\ngus@example.com',
        )
      ).json.counts,
    ).toMatchObject({ added: 0, changed: 0, removed: 0 });
  });

  test('every change is an event with its source as actor, without duplicates', async () => {
    const { site, sync } = await start();
    await sync('email,name\nada@example.com,Ada\n');
    await sync('email,name\nada@example.com,Ada\n');
    const { data } = (await site.get('/events')).body;
    const own = data.filter((event: { actor: { type: string } }) => event.actor.type === 'source');
    expect(own.map((event: { type: string }) => event.type)).toEqual([
      'access-group.created',
      'member.created',
      'access-group.member.added',
      'source.synced',
    ]);
    expect(own[0].actor).toMatchObject({ type: 'source', name: 'Command line' });
  });

  test('a dry run shows the difference and changes nothing', async () => {
    const { site, sync, group } = await start();
    const { json } = await sync('email\nada@example.com\n', '--dry-run');
    expect(json).toMatchObject({ dryRun: true, counts: { added: 1, created: 1 } });
    expect(json.collections[0].sample).toEqual({ added: ['ada@example.com'], removed: [] });
    expect(await group()).toBeUndefined();
    expect((await site.get('/members')).body.data).toEqual([]);
    expect((await site.get('/events?type=access-group.created')).body.data).toEqual([]);
  });

  test('many people, or everybody, are removed only with --confirm', async () => {
    const { sync, people } = await start();
    const list = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`).join('\n');
    await sync(`email\n${list(40)}\n`);
    expect(await sync(`email\n${list(30)}\n`)).toMatchObject({ exitCode: 0 });
    const rejected = await sync(`email\n${list(15)}\nnew@example.com\n`);
    expect(rejected).toMatchObject({ exitCode: 1, json: { error: { code: 'too_many_removals' } } });
    expect(await people()).toHaveLength(31);
    expect(await sync('email\n')).toMatchObject({ exitCode: 1 });
    expect(await sync(`email\n${list(15)}\n`, '--confirm')).toMatchObject({ exitCode: 0 });
    expect(await people()).toHaveLength(15);
  });

  test('the group is read-only through the API, and its memberships say where they come from', async () => {
    const { site, sync, group } = await start();
    await sync('email\nada@example.com\n');
    const { id } = await group();
    const [ada] = (await site.get('/members')).body.data;
    const membership = (await site.get(`/access-groups/${id}/members/${ada.id}`)).body.data;
    expect(membership).toMatchObject({ source: 'scope', expiresAt: null });
    const rejected = await site.delete(`/access-groups/${id}/members/${ada.id}`);
    expect(rejected.body.error.code).toBe('scope_group_read_only');
  });

  test('a blocked member stays blocked and is in the group', async () => {
    const { site, sync, people } = await start();
    const { id } = (await site.post('/members', { email: 'ada@example.com' })).body.data;
    await site.patch(`/members/${id}`, { status: 'blocked' });
    await sync('email\nada@example.com\n');
    expect(await people()).toEqual(['ada@example.com']);
    expect((await site.get(`/members/${id}`)).body.data.status).toBe('blocked');
  });

  test('if a custom group has its name, the group gets a number', async () => {
    const { site, sync } = await start();
    await site.post('/access-groups', { name: 'Team' });
    for (const _ of [1, 2]) await sync('email\nada@example.com\n');
    const { data } = (await site.get('/access-groups')).body;
    expect(data).toMatchObject([
      { name: 'Team (2)', type: 'scope' },
      { name: 'Team', type: 'custom' },
    ]);
    await site.delete(`/access-groups/${data[1].id}`);
    await sync('email\nada@example.com\n');
    expect((await site.get('/access-groups')).body.data).toMatchObject([{ name: 'Team', memberCount: 1 }]);
  });

  test('an invalid row stops the whole synchronization', async () => {
    const { site, sync } = await start();
    const rejected = await sync('email\nada@example.com\nno address\n');
    expect(rejected).toMatchObject({ exitCode: 1, json: { error: { code: 'invalid_rows' } } });
    expect(rejected.json.error.message).toContain('row 3');
    expect((await site.get('/members')).body.data).toEqual([]);
  });

  test('concurrent synchronizations and deletions keep the counter exact', async () => {
    const { site, sync, syncAs, group } = await start();
    const everybody = Array.from({ length: 60 }, (_, n) => `p${n}@example.com`);
    await sync(`email\n${everybody.join('\n')}\n`);
    const members = (await site.get('/members?limit=100')).body.data;
    const halves = [everybody.slice(0, 40), everybody.slice(20)];
    await Promise.all([
      ...halves.map((half) => syncAs({ ownProcess: true }, `email\n${half.join('\n')}\n`, '--confirm')),
      ...members.slice(0, 20).map(({ id }: { id: string }) => site.delete(`/members/${id}`)),
    ]);
    const { id } = await group();
    const counted = await server.database.get<{ counter: number; present: number }>(sql`
      SELECT membership_count AS counter, (
        SELECT count(*) FROM memberships WHERE site_id = ${site.siteId} AND group_id = ${id}
      ) AS present FROM access_groups WHERE site_id = ${site.siteId} AND id = ${id}`);
    expect(counted!.counter).toBe(counted!.present);
    const again = await sync(`email\n${everybody.join('\n')}\n`, '--confirm');
    expect(again.exitCode).toBe(0);
    expect((await group()).memberCount).toBe(60);
  });

  test('a file of any size is uploaded to a source with a service', async () => {
    const { site } = await start();
    await site.post('/sources', { type: 'program', name: 'Office' });
    const emails = Array.from({ length: 1_001 }, (_, n) => `p${n}@example.com`);
    const csv = temporaryFile('people.csv', `E-Mail\n${emails.join('\n')}\n`);
    const upload = (...args: string[]) =>
      commandsWith(
        server,
        site,
      )(['sources', 'collections', 'upload', 'office', 'team', '--csv', csv, ...args]);
    const { exitCode, json, stderr } = await upload('--name', 'Team', '--wait', '--json');
    expect(exitCode, stderr).toBe(0);
    expect(json).toMatchObject({ status: 'succeeded', counts: { read: 1_001 } });
    expect((await site.get('/access-groups')).body.data).toMatchObject([
      { name: 'Team', memberCount: 1_001 },
    ]);
    expect((await upload('--people', '[]')).stderr).toContain('Use either --csv or --people.');
  });
});
