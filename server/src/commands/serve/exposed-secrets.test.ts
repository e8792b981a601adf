import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn, gatehouse, temporaryFolder } from '../../../test/command-line.ts';
import { startMailServer } from '../../../test/mail-server.ts';
import { forEachStore } from '../../../test/stores.ts';

// This machine under a name that is not known to be its own: to Gatehouse it is another machine.
const otherMachine = '127.1';

const mailFrom = { GATEHOUSE_MAIL_FROM: 'office@club.example.org' };

interface Line {
  readonly level: number | string;
  readonly msg: string;
}

/** What the start of a service warns of. */
async function warningsOf(url: string, env: Record<string, string>, cwd = temporaryFolder()) {
  const started = await commandsOn(url)(['serve', '--port', '0', '--json'], { env, cwd });
  expect([started.exitCode, started.stderr]).toEqual([0, '']);
  const lines: Line[] = started.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.filter(({ msg }) => /not encrypted|can read/.test(msg ?? '')).map(({ msg }) => msg);
}

async function checkOf(url: string, name: string, env: Record<string, string>, cwd = temporaryFolder()) {
  const { json } = await commandsOn(url)(['doctor', '--json'], { env, cwd });
  return json.checks.find(({ check }: { check: string }) => check === name);
}

const newDatabase = () => `sqlite:${path.join(temporaryFolder(), 'gatehouse.db')}`;

test.each([
  [{ smtpUrl: 'smtp://gate:hush@127.0.0.1:1', mailFrom: 'a@example.org' }],
  [{ redisUrl: 'redis://:hush@127.0.0.1:1' }],
  [{ metricsToken: 'hush-hush-hush-hush-hush' }],
  [{ secretKey: 'A'.repeat(43) }],
])('the start and doctor say that others can read the secret in %j', async (settings) => {
  const [cwd, url] = [temporaryFolder(), newDatabase()];
  const file = path.join(cwd, 'gatehouse.json');
  writeFileSync(file, JSON.stringify({ ...settings, logLevel: 'warn' }), { mode: 0o644 });
  const warning = `${file} contains a secret, and other users of this machine can read it`;
  for (const mode of [0o644, 0o640, 0o604]) {
    chmodSync(file, mode);
    expect(await checkOf(url, 'settings file', {}, cwd)).toEqual({
      check: 'settings file',
      status: 'warning',
      message: warning,
      advice: `Run: chmod 600 ${file}`,
    });
  }
  expect(await warningsOf(url, {}, cwd)).toEqual([warning]);
  chmodSync(file, 0o600);
  expect(await warningsOf(url, {}, cwd)).toEqual([]);
  expect(await checkOf(url, 'settings file', {}, cwd)).toMatchObject({ status: 'ok' });
});

test('others may read a gatehouse.json without secrets', async () => {
  const [cwd, url] = [temporaryFolder(), newDatabase()];
  const settings = {
    port: 0,
    smtpUrl: 'smtp://127.0.0.1:1',
    mailFrom: 'a@example.org',
    databaseUrl: 'sqlite:x.db',
    redisUrl: null,
  };
  writeFileSync(path.join(cwd, 'gatehouse.json'), JSON.stringify(settings), { mode: 0o644 });
  expect(await warningsOf(url, {}, cwd)).toEqual([]);
  expect(await checkOf(url, 'settings file', {}, cwd)).toMatchObject({ status: 'ok' });
  expect(await checkOf(url, 'settings file', {})).toBeUndefined();
});

test('a password is sent to no mail server of another machine without TLS', async () => {
  for (const parameter of ['ignoreTLS=true', 'ignoreTLS=1', 'requireTLS=false', 'requireTLS=']) {
    const env = { ...mailFrom, GATEHOUSE_SMTP_URL: `smtp://gate:hush@mail.example.org?${parameter}` };
    const { exitCode, stderr } = await gatehouse(['serve'], { env });
    expect([parameter, exitCode]).toEqual([parameter, 2]);
    expect(stderr).toMatch(/^gatehouse: GATEHOUSE_SMTP_URL has a password and turns off TLS, .*\n$/);
    expect(stderr).not.toContain('hush');
  }
});

forEachStore((store) => {
  test('the start and doctor name the connections to other machines that are not encrypted', async () => {
    const mailServer = await startMailServer();
    onTestFinished(mailServer.stop);
    const mail = `${otherMachine}:${mailServer.port}`;
    const url = await store.migratedUrl();
    const plain = {
      ...mailFrom,
      GATEHOUSE_SMTP_URL: `smtp://${mail}?ignoreTLS=true`,
      GATEHOUSE_SITE_UPSTREAM: 'http://app.example.org:3000',
      GATEHOUSE_TRACES_URL: 'http://traces.example.org:4318',
      GATEHOUSE_NOTION_URL: 'http://notion.example.org',
      GATEHOUSE_SITE_PORT: '0',
    };
    expect(await warningsOf(url, plain)).toEqual([
      `The connection to ${mail} is not encrypted: others can read emails with login links`,
      'The connection to notion.example.org is not encrypted: others can read tokens of workspaces',
      'The connection to traces.example.org:4318 is not encrypted: others can read traces',
      'The connection to app.example.org:3000 is not encrypted: others can read pages of members',
    ]);
    const { status, message } = await checkOf(url, 'encryption', plain);
    expect(status).toBe('warning');
    expect(message).toContain(
      `GATEHOUSE_SMTP_URL to ${mail} (emails with login links); GATEHOUSE_NOTION_URL to`,
    );
    const encrypted = {
      ...mailFrom,
      GATEHOUSE_SMTP_URL: `smtp://${mail}`,
      GATEHOUSE_REDIS_URL: 'redis://127.0.0.1:1',
      GATEHOUSE_TRACES_URL: 'https://traces.example.org:4318',
      GATEHOUSE_SITE_UPSTREAM: 'http://localhost:3000',
    };
    expect(await checkOf(url, 'encryption', encrypted)).toMatchObject({ status: 'ok' });
  });

  if (store.dialect === 'sqlite') return;

  test('a database on another machine is reached with TLS, or without if the URL says so', async () => {
    const local = new URL(await store.migratedUrl());
    expect(await checkOf(local.href, 'encryption', {})).toMatchObject({ status: 'ok' });
    const href = local.href.replace(local.hostname, otherMachine);
    const refused = await commandsOn(href)(['serve', '--port', '0', '--json']);
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: 'database_unusable' } } });
    expect(refused.json.error.message).toBe(
      `${otherMachine}:${local.port} does not encrypt connections (TLS), which Gatehouse requires of another machine. ` +
        'Turn on ssl in its configuration, or, if its network is trusted, add ?sslmode=disable to GATEHOUSE_DATABASE_URL.',
    );
    const several = href.replace(otherMachine, `127.0.0.1:${local.port},${otherMachine}`);
    const hosts = await checkOf(several, 'primary', {});
    expect(hosts.message).toContain('127.0.0.1');
    expect(hosts.message).toContain('does not encrypt connections');
    const chosen = `${href}?sslmode=disable`;
    expect(await warningsOf(chosen, {})).toEqual([
      `The connection to ${otherMachine}:${local.port} is not encrypted: others can read everything in the database`,
    ]);
    expect(await checkOf(chosen, 'encryption', {})).toMatchObject({ status: 'warning' });
  });
});
