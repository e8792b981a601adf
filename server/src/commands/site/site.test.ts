import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listCommands } from '../../../scripts/command-list.ts';
import { commandsOn, gatehouse } from '../../../test/command-line.ts';
import { aDomain, aMember, aSession } from '../../../test/contract/given.ts';
import { forEachStore, stopInTheEnd } from '../../../test/stores.ts';
import { send, startTestServer, visit } from '../../../test/test-server.ts';
import { createFirstSite } from '../../app/start/first-start.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open.ts';

forEachStore((store) => {
  test('a site is created, listed and updated', async () => {
    const run = commandsOn(await store.migratedUrl());
    const made = await run(['site', 'create', '--slug', 'club', '--title', 'Rowing club', '--json']);
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect(made.json).toMatchObject({ slug: 'club', title: 'Rowing club', domain: null, status: 'active' });
    expect(made.json.id).toMatch(/^[0-9a-f-]{36}$/);

    const changed = await run(['site', 'update', 'club', '--domain', 'Club.Example.org', '--json']);
    const host = { domain: 'club.example.org', scheme: 'https', redirect: false };
    expect(changed.json).toEqual({ ...made.json, domain: 'club.example.org', hosts: [host] });
    expect((await run(['site', 'list', '--json'])).json).toEqual([changed.json]);
    expect((await run(['site', 'list'])).stdout).toContain('club.example.org');
    const without = await run(['site', 'update', 'club', '--no-domain', '--json']);
    expect(without.json.domain).toBeNull();
  });

  test('a site has the days of UTC, or those of its time zone', async () => {
    const run = commandsOn(await store.migratedUrl());
    expect((await run(['site', 'create', '--slug', 'club', '--json'])).json.timeZone).toBe('UTC');
    const zoned = ['site', 'create', '--slug', 'choir', '--time-zone', 'Pacific/Auckland', '--json'];
    expect((await run(zoned)).json.timeZone).toBe('Pacific/Auckland');
    const update = ['site', 'update', 'club', '--time-zone'];
    expect((await run([...update, 'europe/berlin', '--json'])).json.timeZone).toBe('Europe/Berlin');
    for (const wrong of ['Berlin', '+02:00', '']) {
      expect(await run([...update, wrong])).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/timeZone .*Europe\/Berlin/),
      });
    }
    const sites: { timeZone: string }[] = (await run(['site', 'list', '--json'])).json;
    expect(sites.map(({ timeZone }) => timeZone)).toEqual(['Europe/Berlin', 'Pacific/Auckland']);
  });

  test('a site gets other hosts', async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club', '--domain', 'club.example.org']);
    const update = async (...options: string[]) =>
      (await run(['site', 'update', 'club', ...options, '--json'])).json.hosts.map(
        ({ domain, redirect }: { domain: string; redirect: boolean }) => `${domain}${redirect ? ' →' : ''}`,
      );
    const both = ['club.example.org', 'forum.example.org', 'old.example.org →'];
    expect(await update('--host', 'forum.example.org', '--redirect', 'old.example.org')).toEqual(both);
    expect(await update('--title', 'Club')).toEqual(both);
    expect(await update('--host', 'wiki.example.org')).toEqual([
      'club.example.org',
      'wiki.example.org',
      'old.example.org →',
    ]);
    expect(await update('--no-host')).toEqual(['club.example.org']);
    await run(['site', 'create', '--slug', 'other']);
    const wrong = await run(['site', 'update', 'other', '--host', 'forum.example.org']);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--domain') });
  });

  test('the feed of a site starts with its creation, by a command or by the first start', async () => {
    const databaseUrl = await store.migratedUrl();
    const now = new Date();
    const database = openDatabase(databaseUrl);
    stopInTheEnd(() => database.close());
    await migrate(database);
    const keys = {
      main: (await createFirstSite(database, { url: 'http://localhost:8080', isSample: false }, now))!,
      club: '',
    };
    const run = commandsOn(databaseUrl);
    await run(['site', 'create', '--slug', 'club']);
    keys.club = (await run(['key', 'create', '--site', 'club', '--name', 'Shop', '--json'])).json.key;

    const { apiUrl } = await startTestServer(store, { databaseUrl });
    const feedOf = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await send(`${apiUrl}/events`, 'GET', { headers })).body.data;
    };
    expect(await feedOf(keys.main)).toMatchObject([
      { type: 'site.created', actor: { type: 'system' }, data: { site: { slug: 'main' } } },
      { type: 'api-key.created', actor: { type: 'system' } },
    ]);
    expect(await feedOf(keys.club)).toMatchObject([
      {
        type: 'site.created',
        actor: { type: 'operator', name: userInfo().username },
        data: { site: { slug: 'club', title: 'club', domain: null } },
      },
      { type: 'api-key.created' },
    ]);
  });

  test('a suspended site denies every visitor at once, until it is resumed', async () => {
    const server = await startTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });
    const site = await server.createSite();
    const run = commandsOn(server.databaseUrl);
    const host = await aDomain(site);
    const { slug } = (await site.get('/site')).body.data;
    const rules = [
      { path: '/', access: 'members' },
      { path: '/public', access: 'public' },
    ];
    await site.request('PUT', '/access-rules', { body: { rules } });
    const { token } = await aSession(site, (await aMember(site)).id);
    const statuses = async () => {
      const cookies = [{}, { cookie: `__Host-gatehouse_session=${token}` }];
      const gate = cookies.map((cookie, member) =>
        visit(server.address, 'GET', '/_gatehouse/auth', {
          headers: { 'x-forwarded-host': host, 'x-original-uri': member ? '/' : '/public', ...cookie },
        }),
      );
      return (await Promise.all(gate)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([204, 204]);

    const closed = await run(['site', 'suspend', slug]);
    expect(closed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(closed.stdout).toMatch(
      new RegExp(`^The site ${slug} is suspended. .* Members stay logged in, .* site resume ${slug}\n$`),
    );
    // The notice from another process arrives after a moment.
    await expect.poll(statuses).toEqual([403, 403]);
    expect((await site.get('/site')).body.data.status).toBe('suspended');
    expect((await visit(server.address, 'GET', '/dashboard/login')).status).toBe(200);
    expect((await run(['site', 'suspend', slug])).stdout).toContain(`${slug} was suspended already.`);
    // A change of the settings does not open the site.
    await site.patch('/site', { title: 'Rowing club' });
    expect((await run(['site', 'suspend', slug, '--json'])).json).toMatchObject({
      slug,
      status: 'suspended',
    });
    expect(await statuses()).toEqual([403, 403]);

    expect((await run(['site', 'resume', slug, '--json'])).json).toMatchObject({ slug, status: 'active' });
    await expect.poll(statuses).toEqual([204, 204]);
    expect((await run(['site', 'resume', slug])).stdout).toContain('was not suspended. Nothing was changed.');
    const events: { actor: object; data: { changes: { field: string }[] } }[] = (
      await site.get('/events?type=site.updated')
    ).body.data;
    const ofStatus = events.filter(({ data }) => data.changes.some(({ field }) => field === 'status'));
    const actor = { type: 'operator', name: userInfo().username };
    const change = (from: string, to: string) => ({
      actor,
      data: { siteId: site.siteId, changes: [{ field: 'status', from, to }] },
    });
    expect(ofStatus).toMatchObject([change('active', 'suspended'), change('suspended', 'active')]);
  });

  test('only a site that is named can be suspended', async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club']);
    for (const command of ['suspend', 'resume']) {
      expect(await run(['site', command])).toMatchObject({ exitCode: 2, stdout: '' });
      for (const slug of ['choir', 'operators', '']) {
        const { exitCode, json } = await run(['site', command, slug, '--json']);
        expect([slug, exitCode, json.error.code]).toEqual([slug, 1, 'site_not_found']);
      }
    }
    expect((await run(['site', 'list', '--json'])).json).toMatchObject([{ status: 'active' }]);
  });

  test('an invalid site is rejected in one line', async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club']);
    const taken = await run(['site', 'create', '--slug', 'club']);
    expect(taken).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'gatehouse: A site with this slug already exists. Choose another slug.\n',
    });
    const malformed = await run(['site', 'create', '--slug', 'My Club', '--json']);
    expect(malformed.exitCode).toBe(2);
    expect(malformed.json.error).toMatchObject({ code: 'invalid_request' });
    expect(malformed.json.error.message).toContain('slug must have');
    const page = await run(['site', 'create', '--slug', 'sites', '--json']);
    expect([page.exitCode, page.json.error.message]).toEqual([
      2,
      'sites is the name of a page of the dashboard. Choose another slug.',
    ]);
    expect(await run(['site', 'update', 'choir', '--title', 'Choir'])).toMatchObject({ exitCode: 1 });
    expect(await run(['site', 'update', 'club'])).toMatchObject({ exitCode: 2 });
  });

  test('applied migrations are named once', async () => {
    const run = commandsOn(await store.freshUrl());
    const first = await run(['migrate', '--json']);
    expect(first.json.applied).toContain('0001-schema');
    expect((await run(['migrate', '--json'])).json).toEqual({ applied: [] });
    expect((await run(['migrate'])).stdout).toBe('Nothing to apply: the tables are up to date.\n');
  });
});

forEachStore((store) => {
  test('a site is set up for its visitors', async () => {
    const run = commandsOn(await store.migratedUrl());
    await run(['site', 'create', '--slug', 'club']);
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-logo-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const logo = path.join(folder, 'logo.png');
    writeFileSync(logo, Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1'));
    const look = [
      '--domain',
      'club.example.org',
      '--color',
      '#0F766E',
      '--languages',
      'de,en',
      '--logo',
      logo,
    ];
    const policy = ['--sign-up', 'allowed_domains', '--sign-up-domain', 'school.example', 'other.example'];
    const { json } = await run(['site', 'update', 'club', '--json', ...look, ...policy]);
    expect(json).toMatchObject({
      domain: 'club.example.org',
      scheme: 'https',
      color: '#0f766e',
      languages: ['de', 'en'],
      logoUrl: expect.stringMatching(/^https:\/\/club\.example\.org\/_gatehouse\/logo\?v=/),
      signUp: {
        policy: 'allowed_domains',
        domains: [
          { domain: 'school.example', accessGroupIds: [] },
          { domain: 'other.example', accessGroupIds: [] },
        ],
      },
    });
    const plain = await run([
      'site',
      'update',
      'club',
      '--no-color',
      '--no-logo',
      '--sign-up',
      'open',
      '--json',
    ]);
    expect(plain.json).toMatchObject({ color: null, logoUrl: null, signUp: { policy: 'open' } });
    for (const [option, membersCreateTokens] of [
      ['--members-create-tokens', true],
      ['--no-members-create-tokens', false],
    ] as const) {
      const { json } = await run(['site', 'update', 'club', option, '--json']);
      expect(json).toMatchObject({ membersCreateTokens });
    }
    expect(await run(['site', 'update', 'club', '--color', 'red'])).toMatchObject({
      exitCode: 2,
      stderr: 'gatehouse: color is not in the form #0f766e. Use # and six hexadecimal digits.\n',
    });
    for (const wrong of [
      ['--scheme', 'ftp'],
      ['--sign-up', 'all'],
      ['--logo', 'x.svg'],
      ['--languages', 'xx'],
      [],
    ]) {
      const { exitCode, stderr } = await run(['site', 'update', 'club', ...wrong]);
      expect([wrong, exitCode === 0, stderr === '']).toEqual([wrong, false, false]);
    }
  });
});

test('an unknown command ends with exit code 2', async () => {
  expect(await gatehouse(['sites'])).toMatchObject({
    exitCode: 2,
    stderr: "gatehouse: Unknown command 'sites'. Did you mean site?\n",
  });
  expect((await gatehouse(['site', 'create', '--json'])).json.error.code).toBe('wrong_usage');
  expect(await gatehouse([])).toMatchObject({ exitCode: 2 });
});

test('help with the names of a command prints the help of that command', async () => {
  for (const command of ['api-keys rotate', 'api-keys', 'serve']) {
    const names = command.split(' ');
    const { stdout } = await gatehouse([...names, '--help']);
    expect(stdout).toContain(`Usage: ./gatehouse ${command} `);
    expect(await gatehouse(['help', ...names])).toMatchObject({ exitCode: 0, stdout });
  }
});

test('every command has help with an example, and the option --json', async () => {
  const commands = (await listCommands()).map(({ words }) => words.join(' '));
  const helps = await Promise.all(commands.map((command) => gatehouse([...command.split(' '), '--help'])));
  for (const [place, { exitCode, stdout }] of helps.entries()) {
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`$ ./gatehouse ${commands[place]}`);
    expect(stdout).toContain('--json');
  }
});
