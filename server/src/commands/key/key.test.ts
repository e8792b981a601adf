import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { eventually } from '../../../test/faults/gatehouse-process.ts';
import { forEachStore } from '../../../test/stores.ts';
import { send } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  /** A site for this test, and the commands on it. */
  const start = async () => {
    const { slug } = (await (await server.createSite()).get('/site')).body.data;
    const run = (args: readonly string[]) => commandsOn(server.databaseUrl)([...args, '--site', slug]);
    const status = async (key: string) =>
      (await send(`${server.apiUrl}/members`, 'GET', { headers: { authorization: `Bearer ${key}` } })).status;
    // On PostgreSQL the change reaches a server shortly after the command has ended.
    const ends = (key: string) =>
      eventually('the end of the key', 5_000, async () => (await status(key)) === 401);
    return { slug, run, status, ends };
  };

  test('a key gives access to the API with its permissions', async () => {
    const { slug, run, status } = await start();
    const made = await run(['key', 'create', '--name', 'Shop', '--json']);
    expect(made.json).toMatchObject({ site: slug, name: 'Shop', rateLimit: null, expiresAt: null });
    expect(made.json.key).toMatch(/^gate_[0-9A-Za-z]{36}$/);
    expect(made.json.key.endsWith(made.json.last4)).toBe(true);
    expect(await status(made.json.key)).toBe(200);

    const narrow = ['--permissions', 'site:read,events:read', '--rate-limit', '7', '--expires-in', '90d'];
    const other = await run(['key', 'create', '--name', 'Log', ...narrow, '--json']);
    expect(other.json).toMatchObject({ permissions: ['site:read', 'events:read'], rateLimit: 7 });
    expect(Date.parse(other.json.expiresAt) - Date.parse(other.json.createdAt)).toBeCloseTo(
      90 * 86_400_000,
      -4,
    );
    expect(await status(other.json.key)).toBe(403);
  });

  test('the list shows every key and never its secret', async () => {
    const { run } = await start();
    const { json: made } = await run([
      'key',
      'create',
      '--name',
      'Shop',
      '--expires-at',
      '2090-01-31',
      '--json',
    ]);
    const list = await run(['key', 'list', '--json']);
    // The site already has the key of the tests.
    expect(list.json.map(({ name }: { name: string }) => name).sort()).toEqual(['Shop', 'Test key']);
    expect(list.json.find(({ id }: { id: string }) => id === made.id)).toMatchObject({
      name: 'Shop',
      status: 'active',
      expiresAt: '2090-02-01T00:00:00.000Z',
    });
    expect(list.stdout + (await run(['key', 'list'])).stdout).not.toContain(made.key);
  });

  test.each([
    ['Europe/Berlin', '2090-03-26', '2090-03-26T22:00:00.000Z'],
    ['America/New_York', '2090-11-05', '2090-11-06T05:00:00.000Z'],
    ['Pacific/Auckland', '2090-01-31', '2090-01-31T11:00:00.000Z'],
  ])('a last day in %s is the day that is shown', async (timeZone, day, expiresAt) => {
    const { run, slug } = await start();
    await commandsOn(server.databaseUrl)(['site', 'update', slug, '--time-zone', timeZone]);
    const create = ['key', 'create', '--name', 'Shop', '--expires-at', day];
    expect((await run([...create, '--json'])).json.expiresAt).toBe(expiresAt);
    expect((await run(create)).stdout).toContain(`Valid until the end of ${day} (${timeZone}).`);
    await run(['key', 'create', '--name', 'Noon', '--expires-at', `${day}T12:00:00Z`]);
    const list = (await run(['key', 'list'])).stdout;
    expect(list).toMatch(new RegExp(`Shop +active +${day} `));
    expect(list).toMatch(new RegExp(`Noon +active +${day}T12:00Z `));
  });

  test('in a time zone that is newer than this version, ends are times, and no last day can be entered', async () => {
    const { run, slug } = await start();
    const day = '2090-01-31';
    await run(['key', 'create', '--name', 'Shop', '--expires-at', day]);
    await server.database.run(sql`UPDATE sites SET time_zone = 'Antarctica/Newest' WHERE slug = ${slug}`);
    expect((await run(['key', 'list'])).stdout).toMatch(/Shop +active +2090-02-01T00:00Z /);
    const create = ['key', 'create', '--name', 'Noon', '--expires-at'];
    const refused = await run([...create, day]);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('does not know Antarctica/Newest, the time zone of the site.');
    const { stdout } = await run([...create, `${day}T12:00:00Z`]);
    expect(stdout).toContain(`Valid until ${day}T12:00:00.000Z.`);
  });

  test('a rotated key stays valid for the overlap, and is invalid immediately without one', async () => {
    const { run, status, ends } = await start();
    const { json: first } = await run(['key', 'create', '--name', 'Shop', '--rate-limit', '500', '--json']);
    const second = await run(['key', 'rotate', first.last4, '--overlap', '1h', '--json']);
    expect(second.json).toMatchObject({ name: 'Shop', rateLimit: 500, replaces: { id: first.id } });
    expect(await Promise.all([first.key, second.json.key].map(status))).toEqual([200, 200]);

    const third = await run(['key', 'rotate', second.json.id, '--overlap', '0', '--json']);
    await ends(second.json.key);
    expect(await status(third.json.key)).toBe(200);
    const { stdout } = await run(['key', 'rotate', third.json.id]);
    expect(stdout).toMatch(/The old key …\w{4} is valid until \d{4}-\d\d-\d\dT[\d:.]+Z\.\n/);
    expect(await run(['key', 'rotate', second.json.id])).toMatchObject({ exitCode: 1 });
  });

  test('a revoked key is invalid immediately', async () => {
    const { run, status, ends } = await start();
    const { json: made } = await run(['key', 'create', '--name', 'Shop', '--json']);
    expect(await status(made.key)).toBe(200);
    expect((await run(['key', 'revoke', made.last4, '--json'])).json).toMatchObject({ id: made.id });
    await ends(made.key);
    expect(await run(['key', 'revoke', made.id])).toMatchObject({ exitCode: 1 });
  });

  test('the events of a key name who changed it', async () => {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    await commandsOn(server.databaseUrl)(['key', 'create', '--name', 'Shop', '--site', slug]);
    const { data } = (await site.get('/events?type=api-key.created')).body;
    expect(data.at(-1)).toMatchObject({ actor: { type: 'operator', id: null }, data: { name: 'Shop' } });
    expect(data.at(-1).actor.name).not.toBe('');
  });

  test('the help of rotate shows its default', async () => {
    const { run } = await start();
    expect((await run(['key', 'rotate', '--help'])).stdout).toContain('(default: 24)');
  });

  test('invalid options end with exit code 2', async () => {
    const { run } = await start();
    const wrong = [
      ['--permissions', 'members:read,members:eat'],
      ['--expires-in', '90'],
      ['--expires-at', 'tomorrow'],
      ['--expires-at', '2090-02-30'],
      ['--expires-at', '2090-02-30T00:00:00Z'],
      ['--expires-at', '9999-12-31'],
      ['--expires-in', '1d', '--expires-at', '2090-01-31'],
      ['--expires-at', '2020-01-31'],
      ['--rate-limit', '-1'],
    ];
    for (const options of wrong) {
      expect(await run(['key', 'create', '--name', 'Shop', ...options])).toMatchObject({
        exitCode: 2,
        stdout: '',
      });
    }
  });

  test('an unknown key is reported with the keys of the site', async () => {
    const { run } = await start();
    const { last4 } = (await run(['key', 'create', '--name', 'Shop', '--json'])).json;
    for (const action of ['rotate', 'revoke']) {
      const { code, message } = (await run(['key', action, 'zzzz', '--json'])).json.error;
      expect(code).toBe('key_not_found');
      expect(message).toMatch(/^The site has no API key "zzzz"\..* See \.\/gatehouse api-keys list\.$/);
      expect(message).toContain(`"${last4}"`);
    }
  });

  test('with several sites --site is required', async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club']);
    expect(await run(['key', 'create', '--name', 'Shop'])).toMatchObject({ exitCode: 0 });
    await run(['site', 'create', '--slug', 'choir']);
    const rejected = await run(['key', 'list']);
    expect(rejected).toMatchObject({
      exitCode: 2,
      stderr: 'gatehouse: There are several sites. Choose one with --site: club, choir.\n',
    });
    expect(await run(['key', 'list', '--site', 'choir', '--json'])).toMatchObject({ exitCode: 0, json: [] });
    expect(await run(['key', 'list', '--site', 'band'])).toMatchObject({ exitCode: 1 });
  });
});
