import { directionControlsMessage } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { commandsOn, commandsWith, temporaryFile } from '../command-line.ts';
import { forEachStore } from '../stores.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const controls = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
/** Looks like "Anna exe.gpj" in a list, but is another name. */
const disguised = 'Anna \u202egpj.exe';

forEachStore((store) => {
  let started: Promise<TestServer> | undefined;
  const start = async () => {
    started ??= startTestServer(store);
    const server = await started;
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    return { server, site, slug, run: commandsOn(server.databaseUrl) };
  };

  test('names with characters that change the direction of text are rejected', async () => {
    const { site } = await start();
    const member = (await site.post('/members', { email: 'ada@example.com' })).body.data;
    const group = (await site.post('/access-groups', { name: 'Choir' })).body.data;
    const requests: [string, string, string, object][] = [
      ['POST', '/members', 'displayName', { email: 'bob@example.com', displayName: disguised }],
      ['PATCH', `/members/${member.id}`, 'displayName', { displayName: disguised }],
      ['POST', '/access-groups', 'name', { name: disguised }],
      ['PATCH', `/access-groups/${group.id}`, 'name', { name: disguised }],
      ['PATCH', '/site', 'title', { title: disguised }],
      ['POST', '/api-keys', 'name', { name: disguised }],
      [
        'POST',
        '/operators',
        'displayName',
        { email: 'o@example.com', role: 'viewer', displayName: disguised },
      ],
    ];
    for (const [method, path, field, body] of requests) {
      const { status, body: answer } = await site.request(method, path, { body });
      expect({ path, status, details: answer.error.details }).toEqual({
        path,
        status: 400,
        details: [{ path: `/${field}`, message: `${field}: ${directionControlsMessage}` }],
      });
    }
    const members = controls.map((control, n) => ({
      email: `p${n}@example.com`,
      displayName: `Eve${control}`,
    }));
    const { data } = (await site.post('/members/bulk', { members })).body;
    expect(data.map(({ error }: { error: object }) => error)).toEqual(
      members.map(() => ({ code: 'invalid_display_name', message: directionControlsMessage })),
    );
  });

  test('the command line rejects them too', async () => {
    const { server, site, slug, run } = await start();
    const scope = temporaryFile('team.csv', `email,name\nada@example.com,${disguised}\n`);
    const plain = temporaryFile('plain.csv', 'email\nada@example.com\n');
    const commands = [
      ['site', 'create', '--slug', `${slug}-2`, '--title', disguised],
      ['site', 'update', slug, '--title', disguised],
      ['key', 'create', '--site', slug, '--name', disguised],
      ['operator', 'invite', 'o@example.com', '--site', slug, '--role', 'viewer', '--name', disguised],
      ['scope', 'sync', scope, '--site', slug, '--collection', 'Team'],
      ['scope', 'sync', plain, '--site', slug, '--collection', disguised],
    ];
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await run(command);
      expect({ command, stdout }).toEqual({ command, stdout: '' });
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain(directionControlsMessage);
    }
    const people = temporaryFile('people.csv', `email,name\nada@example.com,${disguised}\n`);
    for (const options of [['--dry-run'], []]) {
      const { json } = await commandsWith(server, site)(['member', 'import', people, '--json', ...options]);
      expect(json.failures).toMatchObject([{ line: 2, message: directionControlsMessage }]);
    }
  });

  test('an already stored name can be read, and other fields can be changed', async () => {
    const { server, site } = await start();
    const { id } = (await site.post('/members', { email: 'ada@example.com', displayName: 'Ada' })).body.data;
    const group = (await site.post('/access-groups', { name: 'Choir' })).body.data;
    await server.database.run(sql`
      UPDATE members SET display_name = ${disguised} WHERE site_id = ${site.siteId} AND id = ${id}`);
    await server.database.run(sql`
      UPDATE access_groups SET name = ${disguised} WHERE site_id = ${site.siteId} AND id = ${group.id}`);
    await server.database.run(sql`UPDATE sites SET title = ${disguised} WHERE id = ${site.siteId}`);

    expect((await site.get(`/members/${id}`)).body.data.displayName).toBe(disguised);
    // A program may send back all fields that it received.
    const changes = { displayName: disguised, paid: true };
    expect((await site.patch(`/members/${id}`, changes)).body.data).toMatchObject(changes);
    const described = { name: disguised, description: 'Mondays' };
    expect((await site.patch(`/access-groups/${group.id}`, described)).body.data).toMatchObject(described);
    const colored = { title: disguised, color: '#0f766e' };
    expect((await site.patch('/site', colored)).body.data).toMatchObject(colored);
    expect((await site.patch(`/members/${id}`, { displayName: 'Ada' })).body.data.displayName).toBe('Ada');
  });
});
