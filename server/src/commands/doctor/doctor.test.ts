import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { commandsOn } from '../../../test/command-line.ts';
import { occupiedPort } from '../../../test/occupied-port.ts';
import { forEachStore } from '../../../test/stores.ts';
import { startTestServer } from '../../../test/test-server.ts';
import { createIdGenerator } from '../../base/ids.ts';

forEachStore((store) => {
  const start = async () => {
    const server = await startTestServer(store);
    const site = await server.createSite();
    const group = (await site.post('/access-groups', { name: 'Course' })).body.data.id;
    await site.post('/members/bulk', { members: [{ email: 'ada@example.com' }], accessGroupIds: [group] });
    const examine = async (publicUrl = server.address) => {
      const run = commandsOn(server.databaseUrl);
      const { json, exitCode } = await run(['doctor', '--json'], {
        env: { GATEHOUSE_PUBLIC_URL: publicUrl },
      });
      return {
        exitCode,
        ok: json.ok,
        state: (name: string) => json.checks.find((each: { check: string }) => each.check === name),
      };
    };
    return { server, site, group, examine };
  };

  test('a healthy installation passes every check', async () => {
    const { examine } = await start();
    const { exitCode, ok, state } = await examine();
    expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true });
    for (const check of ['database', 'migrations', 'counters', 'events', 'clock', 'service']) {
      expect(state(check)).toMatchObject({ status: 'ok' });
    }
    const own = store.dialect === 'sqlite' ? ['durability', 'integrity'] : ['server', 'extensions', 'clocks'];
    for (const check of own) expect(state(check)).toMatchObject({ status: 'ok' });
  });

  test('a wrong counter and a lost event are found', async () => {
    const { server, site, group, examine } = await start();
    await server.database.run(sql`
      UPDATE access_groups SET membership_count = 7 WHERE site_id = ${site.siteId} AND id = ${group}`);
    await server.database.run(sql`UPDATE event_heads SET position = 99 WHERE site_id = ${site.siteId}`);
    const { exitCode, ok, state } = await examine();
    expect({ exitCode, ok }).toEqual({ exitCode: 1, ok: false });
    expect(state('counters')).toMatchObject({ status: 'failed' });
    expect(state('counters').message).toContain('"Course" counts 7 members and has 1');
    expect(state('events')).toMatchObject({ status: 'failed' });
  });

  test('the memberships of a deleted group are found only if nothing will delete them', async () => {
    const { server, site, group, examine } = await start();
    await site.delete(`/access-groups/${group}`);
    expect((await examine()).state('counters')).toMatchObject({ status: 'ok' });
    await server.database.run(sql`DELETE FROM deleted_groups WHERE site_id = ${site.siteId}`);
    expect((await examine()).state('counters').message).toContain('memberships without a group: 1');
  });

  test('an event in the future shows that the clock is wrong', async () => {
    const { server, site, examine } = await start();
    await server.database.run(sql`
      UPDATE events SET occurred_at = '2999-01-01T00:00:00.000Z' WHERE site_id = ${site.siteId}`);
    expect((await examine()).state('clock')).toMatchObject({ status: 'failed' });
  });

  test('a process whose ids are ahead of its clock is named, with the remedy', async () => {
    const run = commandsOn(await store.freshUrl());
    const checked = async (commands = run) => {
      const { json } = await commands(['doctor', '--json'], { ownProcess: true });
      return json.checks.find((each: { check: string }) => each.check === 'ids');
    };
    const didNotStart = commandsOn(await store.migratedUrl());
    const port = String(await occupiedPort());
    expect((await didNotStart(['serve', '--port', port, '--json'])).exitCode).toBe(1);
    let now = Date.now() + 3_600_000;
    const onceStarted = async () => {
      expect(await checked()).toBeUndefined();
      const idOf = createIdGenerator(() => new Date(now));
      idOf();
      now -= 3_600_000;
      idOf();
      await expect
        .poll(() => checked(), { timeout: 30_000 })
        .toMatchObject({
          status: 'warning',
          message: expect.stringContaining(`process ${process.pid} `),
          advice: expect.stringContaining('Restart the service'),
        });
      expect(await checked(didNotStart)).toBeUndefined();
    };
    const { exitCode, stdout } = await run(['serve', '--port', '0', '--json'], { onceStarted });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('IdsAheadOfClock');
    expect(await checked()).toBeUndefined();
  });

  test('a service that does not respond is a warning', async () => {
    const { examine } = await start();
    const { exitCode, state } = await examine('http://127.0.0.1:1');
    expect(exitCode).toBe(0);
    expect(state('service')).toMatchObject({ status: 'warning' });
    expect(state('service').advice).toContain('./gatehouse serve');
  });

  test('a dashboard at a host of a site is found', async () => {
    const { site, examine } = await start();
    const domain = `forum.${randomUUID()}.example`;
    await site.patch('/site', { hosts: [{ domain: `www.${domain}` }, { domain }] });
    expect((await examine(`https://x.${domain}`)).state('dashboard')).toBeUndefined();
    for (const host of [`${domain}:8443`, `www.${domain}`, `www.www.${domain}`]) {
      const { state } = await examine(`https://${host}`);
      expect(state('dashboard')).toMatchObject({ status: 'warning' });
      expect(state('dashboard').message).toContain(`www.${domain} and ${domain}`);
      expect(state('dashboard').advice).toContain('GATEHOUSE_PUBLIC_URL');
    }
  });

  test('a site at the host of the dashboard is named in the log at the start', async () => {
    const { server, site } = await start();
    await site.patch('/site', { domain: 'other.example.org' });
    const { slug } = (await site.get('/site')).body.data;
    await server.stop();
    const lines: string[] = [];
    const settings = { publicUrl: 'https://www.other.example.org' };
    const log = (line: string) => lines.push(line);
    await startTestServer(store, { databaseUrl: server.databaseUrl, settings, log });
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg)).toEqual([
      expect.stringContaining(
        `the dashboard is at www.other.example.org, and the site ${slug} at other.example.org`,
      ),
    ]);
  });

  test('a public root with protected pages below it is found, unless the pages are files', async () => {
    const { server, site } = await start();
    const { slug } = (await site.get('/site')).body.data;
    const check = async (settings: NodeJS.ProcessEnv = {}) => {
      const env = { GATEHOUSE_PUBLIC_URL: server.address, ...settings };
      const { json } = await commandsOn(server.databaseUrl)(['doctor', '--json', '--site', slug], { env });
      return json.checks.find((each: { check: string }) => each.check === 'rules');
    };
    const put = (rules: object[]) => site.request('PUT', '/access-rules', { body: { rules } });
    await put([
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
      { path: '/course', access: 'paying_members' },
    ]);
    const behindProxy = await check();
    expect(behindProxy).toMatchObject({ status: 'warning', site: slug });
    expect(behindProxy.message).toContain('(/course, /members)');
    expect(behindProxy.advice).toContain('If a program makes the pages, set / to members');
    const upstream = { GATEHOUSE_SITE_UPSTREAM: 'http://127.0.0.1:3000', GATEHOUSE_SITE: slug };
    expect((await check(upstream)).advice).toMatch(/^Set \/ to members/);
    expect(await check({ GATEHOUSE_SITE_FOLDER: 'docs', GATEHOUSE_SITE: slug })).toBeUndefined();
    expect(await check({ GATEHOUSE_SITE_FOLDER: 'docs', GATEHOUSE_SITE: 'another' })).toBeDefined();
    await put([
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', access: 'public' },
    ]);
    expect(await check()).toBeUndefined();
  });

  test('--site requires a site that exists', async () => {
    const { server, site } = await start();
    const { slug } = (await site.get('/site')).body.data;
    const run = commandsOn(server.databaseUrl);
    const env = { GATEHOUSE_PUBLIC_URL: server.address };
    expect(await run(['doctor', '--site', slug], { env })).toMatchObject({ exitCode: 0 });
    expect(await run(['doctor', '--site', 'choir', '--json'], { env })).toMatchObject({
      exitCode: 1,
      stdout: '',
      json: {
        error: { code: 'site_not_found', message: 'There is no site "choir". See ./gatehouse site list.' },
      },
    });
  });

  test('a migration of another version fails', async () => {
    const { server, examine } = await start();
    await server.database.run(sql`UPDATE migrations SET name = '9999-later' WHERE name = '0001-schema'`);
    const { exitCode, state } = await examine();
    expect(exitCode).toBe(1);
    expect(state('migrations')).toMatchObject({ status: 'failed' });
  });
});

test('settings are shown without their secrets', async () => {
  const run = commandsOn('postgres://gate:hush@127.0.0.1:1/gatehouse');
  const env = { GATEHOUSE_REDIS_URL: 'redis://:hush@127.0.0.1:1' };
  const results = [await run(['doctor'], { env }), await run(['doctor', '--json'], { env })];
  for (const { exitCode, stdout, stderr } of results) {
    expect(exitCode).toBe(1);
    expect(stdout).toContain('postgres://gate:***@127.0.0.1:1/gatehouse');
    expect(stdout + stderr).not.toContain('hush');
  }
});
