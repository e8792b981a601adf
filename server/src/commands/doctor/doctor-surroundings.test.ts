import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn, temporaryFolder } from '../../../test/command-line.ts';
import { startProcess } from '../../../test/faults/gatehouse-process.ts';
import { freePort } from '../../../test/free-port.ts';
import { nginx } from '../../../test/gate/proxies.ts';
import { startMailServer } from '../../../test/mail-server.ts';
import { forEachStore } from '../../../test/stores.ts';
import { send } from '../../../test/test-server.ts';
import { commit, version, versionAndCommit } from '../../base/version.ts';

const patience = { timeout: 240_000 };

// biome-ignore lint/suspicious/noExplicitAny: the unchanged result of --json
type Result = { exitCode: number | null; json: any };

const checkIn = (result: Result, name: string) =>
  result.json.checks.find(({ check }: { check: string }) => check === name);
const statesIn = (result: Result, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, checkIn(result, name)?.status]));

forEachStore((store) => {
  test(
    'doctor checks the settings of the running service, and sends emails with them',
    patience,
    async () => {
      let password = 'hush';
      const mailServer = await startMailServer({
        options: {
          authOptional: false,
          disabledCommands: ['STARTTLS'],
          onAuth: (login, _session, done) =>
            login.password === password ? done(null, { user: 'gate' }) : done(new Error('No.')),
        },
      });
      onTestFinished(mailServer.stop);
      const url = await store.migratedUrl();
      const port = await freePort();
      const service = await startProcess(url, {
        GATEHOUSE_PORT: port,
        GATEHOUSE_PUBLIC_URL: `http://127.0.0.1:${port}`,
        GATEHOUSE_EVENT_RETENTION_DAYS: 77,
        GATEHOUSE_SMTP_URL: `smtp://gate:hush@127.0.0.1:${mailServer.port}?ignoreTLS=true`,
        GATEHOUSE_MAIL_FROM: 'office@club.example.org',
      });
      const run = commandsOn(url);
      if (store.dialect === 'sqlite') {
        // The latest changes are only in the WAL.
        const members = Array.from({ length: 500 }, (_, n) => ({ email: `m${n}@example.com` }));
        const headers = { authorization: `Bearer ${await firstKeyOf(service.output)}` };
        await send(`${service.address}/api/v1/members/bulk`, 'POST', { body: { members }, headers });
      }
      const found = await run(['doctor', '--json', '--test-email', 'Ada@example.com']);
      expect(found.json).toMatchObject({
        version,
        commit: commit ?? null,
        service: { pid: service.pid, version: versionAndCommit, address: service.address },
        settings: { port, eventRetentionDays: 77 },
      });
      expect(found.stdout).not.toContain('hush');
      expect(statesIn(found, 'settings', 'service', 'email', 'test email')).toEqual({
        settings: 'ok',
        service: 'ok',
        email: 'ok',
        'test email': 'ok',
      });
      expect(mailServer.deliveries).toMatchObject([
        { recipients: ['ada@example.com'], sender: 'office@club.example.org' },
      ]);
      expect(mailServer.deliveries[0]!.source).toContain('Subject: Test email from Gatehouse');
      if (store.dialect === 'sqlite') {
        const folder = path.dirname(url.slice('sqlite:'.length));
        const state = readdirSync(folder).find((name) => name.includes('.service-'))!;
        expect(statSync(path.join(folder, state)).mode & 0o777).toBe(0o600);
        const content = readFileSync(path.join(folder, state), 'utf8');
        expect(content).toContain('settingsToken');
        expect(content).not.toContain('smtp:');
        const [, all, wal] = /takes ([\d.]+) MB \(([\d.]+) MB of it in the WAL\)/.exec(
          checkIn(found, 'disk').message,
        )!;
        expect(Number(wal)).toBeGreaterThan(0);
        expect(Number(all)).toBeGreaterThan(Number(wal));
        expect(checkIn(found, 'permissions').status).toBe('ok');
      }

      password = 'another';
      const rejected = await run(['doctor', '--json', '--test-email', 'nobody']);
      expect(rejected.exitCode).toBe(1);
      expect(statesIn(rejected, 'email', 'test email')).toEqual({ email: 'failed', 'test email': 'failed' });
      expect(checkIn(rejected, 'email').message).toContain('rejected the user name or password (535)');

      service.child.kill('SIGTERM');
      await service.exited;
      const off = await run(['doctor', '--json']);
      expect(off.json).toMatchObject({ service: null, settings: { port: 8080, eventRetentionDays: 90 } });
      expect(statesIn(off, 'settings', 'email', 'database')).toEqual({
        settings: 'warning',
        email: 'warning',
        database: 'ok',
      });
      if (store.dialect === 'sqlite')
        expect(readdirSync(path.dirname(url.slice('sqlite:'.length))).join()).not.toContain('.service-');
    },
  );
});

test('doctor knows that a site without a proxy is served by the service itself', patience, async () => {
  const folder = temporaryFolder();
  const url = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  mkdirSync(path.join(folder, 'pages'));
  const sitePort = await freePort();
  await startProcess(url, {
    GATEHOUSE_SITE_FOLDER: path.join(folder, 'pages'),
    GATEHOUSE_SITE_PORT: sitePort,
  });
  const run = commandsOn(url);
  await run(['site', 'update', 'main', '--domain', `localhost:${sitePort}`]);
  const found = await run(['doctor', '--json']);
  expect(statesIn(found, 'domain', 'proxy', 'gate')).toEqual({ domain: 'ok', proxy: 'ok', gate: 'ok' });
  expect(checkIn(found, 'proxy').message).toContain('serves the site itself');
  expect(checkIn(found, 'gate').message).toContain('is denied');
});

test('doctor names what a public page loads and nobody gets without a login', patience, async () => {
  const folder = temporaryFolder();
  const url = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const pages = path.join(folder, 'pages');
  mkdirSync(pages);
  const files = [
    '<link rel="stylesheet" href="/assets/site.css?v=1&amp;x=2"><link rel=icon href=/assets/icon.svg>',
    '<link rel="next" href="/members/"><a href="/members/">Members</a><script src="open/page.js"></script>',
    "<!-- <img src='/old.png'> --><img alt=x src='../assets/a%20b.png'><img src='https://elsewhere.example/x.png'>",
    '<link rel="stylesheet" href="data:text/css,x"><img src=""><script src="http://[">',
  ];
  writeFileSync(
    path.join(pages, 'index.html'),
    `<!doctype html>${files.join('\n')}${'<!--'.repeat(100_000)}`,
  );
  const sitePort = await freePort();
  const { address, output } = await startProcess(url, {
    GATEHOUSE_SITE_FOLDER: pages,
    GATEHOUSE_SITE_PORT: sitePort,
  });
  const run = commandsOn(url);
  await run(['site', 'update', 'main', '--domain', `localhost:${sitePort}`]);
  const headers = { authorization: `Bearer ${await firstKeyOf(output)}` };
  const check = async (...publicFolders: string[]) => {
    const folders = publicFolders.map((path) => ({ path, access: 'public' }));
    const rules = [
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', access: 'public' },
      ...folders,
    ];
    expect((await send(`${address}/api/v1/access-rules`, 'PUT', { body: { rules }, headers })).status).toBe(
      200,
    );
    const result = await run(['doctor', '--json']);
    return result.json.checks.filter((each: { check: string }) => each.check === 'public pages');
  };
  const [found, ...others] = await check('/open');
  expect(others).toEqual([]);
  expect(found).toMatchObject({ status: 'warning', site: 'main' });
  expect(found.message).toBe(
    'everybody sees /, but not what it loads: /assets/site.css, /assets/icon.svg, /assets/a%20b.png',
  );
  expect(found.advice).toContain('Add a rule that makes these files public');
  expect(await check('/open', '/assets')).toMatchObject([{ status: 'ok' }]);
});

test('the self-check is answered only to doctor', patience, async () => {
  const url = `sqlite:${path.join(temporaryFolder(), 'gatehouse.db')}`;
  const { address } = await startProcess(url);
  const folder = path.dirname(url.slice('sqlite:'.length));
  const state = readdirSync(folder).find((name) => name.includes('.service-'))!;
  const { selfCheckToken, settingsToken } = JSON.parse(readFileSync(path.join(folder, state), 'utf8'));
  // Only the settings token gives access to the settings; neither token works for the self-check itself.
  const tokens = { '': ['guess', settingsToken, selfCheckToken], '/settings': ['guess', selfCheckToken] };
  for (const [end, wrong] of Object.entries(tokens)) {
    for (const headers of [{}, ...wrong.map((token) => ({ authorization: `Bearer ${token}` }))]) {
      const { status, text } = await send(`${address}/_gatehouse/self-check${end}`, 'GET', { headers });
      expect(status).toBe(404);
      expect(text).not.toContain('127.0.0.1');
    }
  }
});

test(
  'another server at the domain of a site learns no token and cannot forge a result',
  patience,
  async () => {
    const url = `sqlite:${path.join(temporaryFolder(), 'gatehouse.db')}`;
    const service = await startProcess(url, { GATEHOUSE_LOG_LEVEL: 'info' });
    const seen = {
      peer: '\u001b[2Jall is well',
      isTrusted: true,
      host: 'x',
      ipAddress: '',
      site: 'main',
    };
    const authorizations: string[] = [];
    const anonymous = createServer((request, response) => {
      authorizations.push(request.headers.authorization ?? '');
      response.setHeader('x-gatehouse-proof', 'A'.repeat(43)).end(JSON.stringify(seen));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void anonymous.close());
    await once(anonymous, 'listening');
    const domain = `localhost:${(anonymous.address() as AddressInfo).port}`;
    const run = commandsOn(url);
    expect((await run(['site', 'update', 'main', '--domain', domain])).exitCode).toBe(0);

    const found = await run(['doctor', '--json']);
    expect(checkIn(found, 'domain')).toMatchObject({ status: 'failed' });
    expect(checkIn(found, 'domain').message).toContain('not from this service');
    expect((await run(['doctor'])).stdout).not.toContain('\u001b');
    expect(authorizations.some((each) => each.startsWith('Bearer '))).toBe(true);
    for (const authorization of authorizations) {
      const again = await send(`${service.address}/_gatehouse/self-check/settings`, 'GET', {
        headers: { authorization },
      });
      expect(again.status).toBe(404);
    }
  },
);

test.skipIf(nginx.leftOut())(
  'domain, certificate, proxy and gate are checked through the proxy',
  patience,
  async () => {
    const folder = temporaryFolder();
    const [certificate, certificateKey] = certificateFor(folder, 30);
    const url = `sqlite:${path.join(folder, 'gatehouse.db')}`;
    const gatehousePort = await freePort();
    const service = await startProcess(url, {
      GATEHOUSE_PORT: gatehousePort,
      GATEHOUSE_PUBLIC_URL: `http://127.0.0.1:${gatehousePort}`,
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      GATEHOUSE_LOG_LEVEL: 'info',
    });
    const site = path.join(folder, 'site');
    mkdirSync(site);
    writeFileSync(path.join(site, 'index.html'), 'for members');
    const place = { gatehousePort, appPort: await freePort(), site, certificate, certificateKey };
    const run = commandsOn(url);
    const permissions = 'site:read,site:write,login-links:write';
    const made = await run(['key', 'create', '--name', 'Hosts', '--permissions', permissions, '--json']);
    const { key } = made.json;
    const patch = (body: object) =>
      send(`${service.address}/api/v1/site`, 'PATCH', { body, headers: { authorization: `Bearer ${key}` } });

    // A process reads it when it starts.
    const trusting = { ownProcess: true, env: { NODE_EXTRA_CA_CERTS: certificate } };

    /** The results of doctor with the configuration of the guide, changed. */
    const examine = async (change: (configuration: string) => string) => {
      const proxy = await nginx.start(place, (configuration) =>
        change(
          configuration
            .replaceAll('server_name club.example.org', 'server_name localhost')
            .replaceAll(/(Host +)\$server_name/g, '$1localhost:$server_port'),
        ),
      );
      await patch({ domain: `localhost:${proxy.httpsPort}`, scheme: 'https' });
      const found = await run(['doctor', '--json'], trusting);
      return { proxy, found };
    };
    const names = ['domain', 'certificate', 'proxy', 'gate'];

    const right = await examine((configuration) => configuration);
    expect(statesIn(right.found, ...names)).toEqual({
      domain: 'ok',
      certificate: 'ok',
      proxy: 'ok',
      gate: 'ok',
    });
    expect(checkIn(right.found, 'certificate').message).toMatch(/^valid for this name, (29|30) days left$/);
    expect(checkIn(right.found, 'gate').message).toBe('/ is denied for an anonymous visitor (status 401)');
    expect(right.found.exitCode).toBe(0);
    const hosts = [
      { domain: `localhost:${right.proxy.httpsPort}`, scheme: 'https' },
      { domain: 'nowhere.invalid' },
    ];
    await patch({ hosts });
    const several = await run(['doctor', '--json'], trusting);
    expect(several.json.checks).toContainEqual(
      expect.objectContaining({
        check: 'domain',
        status: 'failed',
        message: expect.stringContaining('nowhere.invalid: nowhere.invalid does not resolve'),
      }),
    );
    await patch({ hosts: hosts.slice(0, 1) });
    await right.proxy.stop();

    const wrong = await examine((configuration) =>
      nginx
        .withoutGate(configuration)
        .replaceAll(/(X-Forwarded-For +)\$remote_addr/g, '$1$http_x_forwarded_for'),
    );
    expect(statesIn(wrong.found, ...names)).toMatchObject({ domain: 'ok', proxy: 'failed', gate: 'failed' });
    expect(checkIn(wrong.found, 'proxy').message).toContain('X-Forwarded-For that a visitor can forge');
    expect(wrong.found.exitCode).toBe(1);

    // The authority of the certificate is unknown here, and then the service is stopped.
    await service.kill();
    const untrusted = await run(['doctor', '--json']);
    expect(statesIn(untrusted, ...names)).toMatchObject({ certificate: 'failed', proxy: 'warning' });
    const off = await run(['doctor', '--json'], trusting);
    expect(statesIn(off, ...names)).toEqual({
      certificate: 'ok',
      domain: 'ok',
      proxy: 'warning',
      gate: 'failed',
    });
    await wrong.proxy.stop();
    const gone = await run(['doctor', '--json'], trusting);
    expect(statesIn(gone, ...names)).toMatchObject({ certificate: 'failed' });
  },
);

function certificateFor(folder: string, days: number): [certificate: string, key: string] {
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-days', String(days), '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...names, ...files], { stdio: 'ignore' });
  return [certificate, key];
}

async function firstKeyOf(output: () => string): Promise<string> {
  await expect.poll(output).toMatch(/gate_\w{36}/);
  return /gate_\w{36}/.exec(output())![0];
}
