import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  eventually,
  type GatehouseProcess,
  makeSite,
  startProcess,
} from '../../../test/faults/gatehouse-process.ts';
import { RawConnection, requestText } from '../../../test/hostile/raw-connection.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import { send, visit } from '../../../test/test-server.ts';
import { commit, version } from '../../base/version.ts';

const command = fileURLToPath(new URL('../../../bin/gatehouse.js', import.meta.url));

/** The lines of the log, without the first steps printed for people. */
const linesOf = (gatehouse: GatehouseProcess) =>
  gatehouse
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
const stopped = async (gatehouse: GatehouseProcess, signal: NodeJS.Signals = 'SIGTERM') => {
  gatehouse.child.kill(signal);
  expect(await gatehouse.exited).toBe(0);
  return linesOf(gatehouse);
};

forEachStore((store) => {
  test('the log contains the start, the end and each error with its request ID and caller, without secrets', async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, keyId, key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl, { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' });
    const { address } = gatehouse;
    const api = `${address}/api/v1`;
    const auth = { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.7' };
    const id = randomUUID();
    const secret = 'ada.lovelace@example.com';
    const token = `${'a1'.repeat(20)}x`;
    const ofKey = { siteId, keyId, ipAddress: '198.51.100.7' };
    const requests = [
      {
        answer: await send(`${api}/members/${id}?q=${token}`, 'GET', { headers: auth }),
        line: {
          status: 400,
          code: 'invalid_request',
          method: 'GET',
          path: `/api/v1/members/${id}`,
          ...ofKey,
        },
      },
      {
        answer: await send(`${api}/members`, 'POST', { headers: auth, body: { email: secret, x: 1 } }),
        line: { status: 400, code: 'invalid_request', method: 'POST', path: '/api/v1/members', ...ofKey },
      },
      {
        answer: await send(`${api}/members/${secret}/sessions`, 'GET', { headers: auth }),
        line: { status: 400, code: 'invalid_request', path: '/api/v1/members/*/sessions', ...ofKey },
      },
      {
        answer: await send(`${api}/operators`, 'POST', { headers: auth, body: {} }),
        line: { status: 403, code: 'permission_denied', ...ofKey },
      },
      {
        answer: await send(`${api}/nothing/${token}`, 'GET', { headers: auth }),
        line: { status: 404, code: 'not_found', path: '/api/v1/nothing/*', ...ofKey },
      },
      {
        answer: await send(`${api}/site`, 'GET', { headers: { authorization: `Bearer ${token}` } }),
        line: { status: 401, code: 'invalid_api_key', path: '/api/v1/site', ipAddress: '127.0.0.1' },
      },
      {
        answer: await send(`${api}/members/%E0%A4%A`, 'GET'),
        line: { status: 400, code: 'invalid_request', path: '/api/v1/members/*' },
      },
      {
        answer: await send(`${address}/dashboard/api/me`, 'GET', { headers: { cookie: `a=${token}` } }),
        line: { status: 401, code: 'logged_out', path: '/dashboard/api/me' },
      },
      {
        answer: await send(`${address}/dashboard/link/${token}`, 'POST', {
          headers: { 'sec-fetch-site': 'cross-site' },
        }),
        line: { status: 403, path: '/dashboard/link/*' },
      },
    ];
    // An error on a page is logged too, and so is a request that cannot be parsed.
    const page = await visit(address, 'POST', '/_gatehouse/login', {
      headers: { 'sec-fetch-site': 'cross-site' },
      form: { email: secret },
    });
    const nowhere = await visit(address, 'GET', '/_gatehouse/login', {
      headers: { host: 'nowhere.example' },
    });
    const broken = await RawConnection.open(address);
    broken.write('NO SUCH THING\r\n\r\n');
    const unread = (await broken.answer())!;
    // Decisions of the gate are never logged.
    const gateHeaders = {
      'x-forwarded-host': 'x.example.org',
      'x-original-uri': '/',
      'x-request-id': randomUUID(),
    };
    await visit(address, 'GET', '/_gatehouse/auth', { headers: gateHeaders });

    const lines = await stopped(gatehouse, 'SIGINT');
    expect(lines.find(({ msg }) => /^Gatehouse is ready/.test(msg))).toMatchObject({
      version,
      commit: commit ?? null,
      address,
      store: store.dialect,
      settingsFile: null,
    });
    expect(lines.slice(-2)).toMatchObject([
      { msg: 'Gatehouse is stopping', signal: 'SIGINT' },
      { msg: 'Gatehouse has stopped' },
    ]);
    const lineOf = (requestId: string) => lines.find((line) => line.requestId === requestId);
    for (const { answer, line } of requests) {
      expect(answer.status, answer.text).toBe(line.status);
      expect(lineOf(answer.headers.get('x-request-id')!)).toMatchObject({ level: 30, ...line });
    }
    expect(lineOf(page.headers['x-request-id'] as string)).toMatchObject({ status: page.status });
    const linesOfNowhere = lines.filter(({ requestId }) => requestId === nowhere.headers['x-request-id']);
    expect(linesOfNowhere).toMatchObject([{ status: 404, code: 'site_not_found' }]);
    const ofUnread = lineOf(unread.headers.get('x-request-id')!);
    expect(ofUnread).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(lineOf(gateHeaders['x-request-id'])).toBeUndefined();
    for (const hidden of [key, token, secret]) expect(JSON.stringify(lines)).not.toContain(hidden);
  });
});

// The log is written before a store is called, or after it has answered. On SQLite, threads write to it too.
forOneStore((store) => {
  test('a flood of rejected requests leaves few lines, and their number', async () => {
    const databaseUrl = await store.migratedUrl();
    const { keyId, key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl, {
      GATEHOUSE_RATE_LIMIT: 1,
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const start = performance.now();
    for (let number = 0; number < 12; number += 1) {
      await send(`${gatehouse.address}/api/v1/site`, 'GET', { headers: { authorization: `Bearer ${key}` } });
    }
    const senders = Array.from({ length: 7 }, async (_, sender) => {
      const connection = await RawConnection.open(gatehouse.address);
      connection.write(
        requestText('GET /api/v1/site', { 'x-forwarded-for': `198.51.100.${sender}` }).repeat(120),
      );
      for (let number = 0; number < 120; number += 1) expect((await connection.answer())!.status).toBe(401);
      connection.destroy();
    });
    await Promise.all(senders);
    const lines = await stopped(gatehouse);
    // The limit is per minute.
    const maxWindows = Math.ceil((performance.now() - start) / 60_000) + 1;
    const rejected = lines.filter(({ msg }) => msg === 'Request rejected');
    const omitted = (code: string) => lines.reduce((sum, line) => sum + (line.omitted?.[code] ?? 0), 0);
    const limited = rejected.filter(({ code }) => code === 'rate_limited');
    expect(limited[0]).toMatchObject({ status: 429, keyId });
    expect(limited.length).toBeLessThanOrEqual(maxWindows);
    expect(omitted('rate_limited')).toBeGreaterThan(0);
    const missing = rejected.filter(({ code }) => code === 'missing_api_key');
    expect(missing.length).toBeLessThanOrEqual(600 * maxWindows);
    const ofOne = missing.filter(({ ipAddress }) => ipAddress === '198.51.100.3');
    expect(ofOne.length).toBeLessThanOrEqual(100 * maxWindows);
    expect(missing.length + omitted('missing_api_key')).toBe(7 * 120);
  });

  test('a start before a program names the protected pages that a public root may show elsewhere', async () => {
    const databaseUrl = await store.migratedUrl();
    const { key } = await makeSite(databaseUrl);
    const start = () =>
      startProcess(databaseUrl, { GATEHOUSE_SITE_UPSTREAM: 'http://127.0.0.1:9', GATEHOUSE_SITE_PORT: 0 });
    const warning = (lines: { msg: string }[]) =>
      lines.filter(({ msg }) => msg.startsWith('In the access rules'));
    const first = await start();
    const rules = [
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
    ];
    const options = { headers: { authorization: `Bearer ${key}` }, body: { rules } };
    expect((await send(`${first.address}/api/v1/access-rules`, 'PUT', options)).status).toBe(200);
    expect(warning(await stopped(first))).toEqual([]);
    expect(warning(await stopped(await start()))).toEqual([
      expect.objectContaining({ level: 40, msg: expect.stringContaining('(/members)') }),
    ]);
  });

  test('a program that reads the log slowly receives every line until the end', async () => {
    const databaseUrl = await store.migratedUrl();
    const { key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl, { GATEHOUSE_RATE_LIMIT: 0 });
    const stdout = gatehouse.child.stdout!;
    stdout.pause();
    const longPath = `/api/v1${'/a-long-path'.repeat(24)}`;
    const request = requestText(`GET ${longPath}`, { authorization: `Bearer ${key}` });
    const [senders, count] = [9, 100];
    const send = async () => {
      const connection = await RawConnection.open(gatehouse.address);
      connection.write(request.repeat(count));
      for (let number = 0; number < count; number += 1) expect((await connection.answer())!.status).toBe(404);
      connection.destroy();
    };
    await Promise.all(Array.from({ length: senders }, send));
    gatehouse.child.kill('SIGTERM');
    await eventually('it accepts no connections', 5_000, () =>
      fetch(gatehouse.address).then(
        () => false,
        () => true,
      ),
    );
    stdout.resume();
    expect(await gatehouse.exited).toBe(0);
    const lines = linesOf(gatehouse);
    expect(lines.filter(({ path }) => path === longPath)).toHaveLength(senders * count);
    expect(lines.at(-1)).toMatchObject({ msg: 'Gatehouse has stopped' });
  });

  test('warnings of Node are JSON lines too, except for features that are used intentionally', async () => {
    const databaseUrl = await store.migratedUrl();
    const warn = (name: string, text: string) =>
      `process.emitWarning(${JSON.stringify(text)}, ${JSON.stringify(name)});`;
    const warnings =
      warn('ExperimentalWarning', 'SQLite is an experimental feature and might change at any time') +
      warn('TestWarning', 'Something is odd');
    const preload = (code: string) =>
      `--import=data:text/javascript,${encodeURIComponent(`import { isMainThread } from 'node:worker_threads'; ${code}`)}`;

    const gatehouse = await startProcess(databaseUrl, {
      NODE_OPTIONS: preload(
        `if (isMainThread) process.on('SIGUSR2', () => { ${warnings} }); else setTimeout(() => { ${warnings} }, 1000).unref();`,
      ),
    });
    gatehouse.child.kill('SIGUSR2');
    const threads = store.dialect === 'sqlite' ? 2 : 1;
    const found = () => linesOf(gatehouse).filter(({ warning }) => warning === 'TestWarning');
    await eventually('warnings', 20_000, async () => found().length >= threads);
    await stopped(gatehouse);
    expect(found()).toHaveLength(threads);
    expect(found()[0]).toMatchObject({ level: 40, msg: 'Something is odd' });
    expect(gatehouse.output()).not.toMatch(/\(node:\d+\)|SQLite is an experimental/);

    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [command, 'site', 'list', ...args], {
        env: {
          PATH: process.env.PATH,
          GATEHOUSE_DATABASE_URL: databaseUrl,
          NODE_OPTIONS: preload(`process.once('beforeExit', () => { ${warnings} });`),
        },
      });
    const { stdout, stderr } = await run('--json');
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    const warning = { name: 'TestWarning', message: 'Something is odd' };
    expect(JSON.parse(stderr)).toEqual({ warning });
    expect((await run()).stderr).toBe('gatehouse: TestWarning: Something is odd\n');
  });
});
