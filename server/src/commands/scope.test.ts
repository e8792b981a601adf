import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { type CommandOptions, commandsOn, temporaryFile } from '../../test/command-line.ts';
import { forEachStore } from '../../test/stores.ts';
import { useTestServer } from '../../test/use-server.ts';

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
    expect(json).toMatchObject({ created: ['bob@example.com'], removed: [], renamed: [], currentMembers: 0 });
    expect(await group()).toMatchObject({ id: json.groupId, type: 'scope', name: 'Team', memberCount: 2 });
    expect(await people()).toEqual(['ada@example.com', 'bob@example.com']);
    expect((await site.get('/members?q=bob')).body.data[0]).toMatchObject({
      displayName: 'Bob',
      status: 'active',
    });
  });

  test('a later file adds, removes from the group, and renames; members remain', async () => {
    const { site, sync, group, people } = await start();
    const names = ['ada', 'bob', 'cy', 'dan', 'eve', 'flo'];
    await sync(`email,displayName\n${names.map((name) => `${name}@example.com,${name}`).join('\n')}`);
    const { json } = await sync(
      'email,displayName\nada@example.com,Ada King\nbob@example.com,\ncy@example.com,cy\ndan@example.com,dan\neve@example.com,eve\ngus@example.com,Gus',
    );
    expect(json).toMatchObject({
      currentMembers: 6,
      created: ['gus@example.com'],
      added: ['gus@example.com'],
      removed: ['flo@example.com'],
      renamed: [{ email: 'ada@example.com', from: 'ada', to: 'Ada King' }],
    });
    expect((await group()).memberCount).toBe(6);
    expect(await people()).not.toContain('flo@example.com');
    expect((await site.get('/members')).body.data).toHaveLength(7);
    expect(
      (
        await sync(
          'email\nada@example.com\nbob@example.com\ncy@example.com\ndan@example.com\neve@example.com\ngus@example.com',
        )
      ).json,
    ).toMatchObject({ added: [], removed: [], renamed: [] });
  });

  test('every change is an event with its source as actor, without duplicates', async () => {
    const { site, sync } = await start();
    await sync('email,name\nada@example.com,Ada\n');
    await sync('email,name\nada@example.com,Ada\n');
    const { data } = (await site.get('/events')).body;
    const own = data.filter((event: { actor: { type: string } }) => event.actor.type === 'source');
    expect(own.map((event: { type: string }) => event.type)).toEqual([
      'member.created',
      'access-group.created',
      'access-group.member.added',
    ]);
    expect(own[0].actor).toEqual({ type: 'source', id: 'Team', name: 'Team' });
  });

  test('a dry run shows the difference and changes nothing', async () => {
    const { site, sync, group } = await start();
    const { json } = await sync('email\nada@example.com\n', '--dry-run');
    expect(json).toMatchObject({ dryRun: true, groupId: null, added: ['ada@example.com'] });
    expect(await group()).toBeUndefined();
    expect((await site.get('/members')).body.data).toEqual([]);
    expect((await site.get('/events?type=access-group.created')).body.data).toEqual([]);
  });

  test('more than a fifth of a group is removed only with --confirm', async () => {
    const { sync, people } = await start();
    const list = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`).join('\n');
    await sync(`email\n${list(10)}\n`);
    expect(await sync(`email\n${list(8)}\nnew@example.com\n`)).toMatchObject({ exitCode: 0 });
    const rejected = await sync(`email\n${list(7)}\n`);
    expect(rejected).toMatchObject({ exitCode: 1, json: { error: { code: 'too_many_removals' } } });
    expect(await people()).toHaveLength(9);
    expect(await sync('email\n')).toMatchObject({ exitCode: 1 });
    expect(await sync(`email\n${list(7)}\n`, '--confirm')).toMatchObject({ exitCode: 0 });
    expect(await people()).toHaveLength(7);
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

  test('a custom group of the same name is rejected', async () => {
    const { site, sync } = await start();
    await site.post('/access-groups', { name: 'Team' });
    for (const options of [[], ['--dry-run']]) {
      const rejected = await sync('email\nada@example.com\n', ...options);
      expect(rejected).toMatchObject({ exitCode: 1, json: { error: { code: 'access_group_name_taken' } } });
    }
    expect((await site.get('/members')).body.data).toEqual([]);
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
});
