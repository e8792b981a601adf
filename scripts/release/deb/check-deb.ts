// Tests the packages of Debian: the same bytes in two builds, what lintian and systemd say, and in a fresh Debian the way from
// nothing to a login, with the service under the limits of its unit; that commands of root do not stay root; an upgrade, a
// removal and a purge. Needs root. With a folder as its argument, it tests the packages there, and does not build.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { startMailServer } from '../../../server/test/mail-server.ts';
import { systemPostgres } from '../../../server/test/postgres-programs.ts';
import { startPostgres } from '../../../server/test/postgres-server.ts';
import { freePort } from '../../user-terminal.ts';
import { createDebianRoot } from '../debian-root.ts';
import { becomeFirstOwner } from '../first-owner.ts';
import { InstalledRoot, type Running, withVersion } from './installed-root.ts';

const maxExposure = 2;
const root = path.resolve(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-check-deb-'));
const machine = new InstalledRoot(path.join(folder, 'root'));
const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const mail = await startMailServer();
const list = await serveList('email,displayName\nlisted@example.org,Listed\n');
const postgres = await startPostgres(systemPostgres()!);
let service: Running | undefined;
let knownKey = '';

try {
  const [amd64, arm64] = packagesIn(process.argv[2] ?? buildTwice());
  checkContents(amd64);
  checkContents(arm64);
  createDebianRoot(machine.folder);
  const started = performance.now();
  installLower(amd64);
  await logInFirst();
  console.log(`installed and logged in after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await checkDroppedRights();
  await useUnderLimits();
  await upgrade();
  await usePostgres();
  removeAndPurge();
} finally {
  service?.kill();
  await Promise.all([mail.stop(), postgres.stop('immediate'), list.stop()]);
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the folder of the packages. */
function buildTwice(): string {
  const outs = ['first', 'second'].map((name) => {
    const out = path.join(folder, name);
    execFileSync('npm', ['run', 'release', '--', '--only', 'deb', '--out', out], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return out;
  });
  const [first, second] = outs.map((out) => readFileSync(path.join(out, 'SHA256SUMS'), 'utf8'));
  assert.equal(first, second, 'two builds have the same bytes');
  console.log('two builds have the same bytes');
  rmSync(outs[1]!, { recursive: true });
  return outs[0]!;
}

function packagesIn(place: string): [amd64: string, arm64: string] {
  const file = (architecture: string) => path.join(place, `gatehouse_${version}_${architecture}.deb`);
  return [file('amd64'), file('arm64')];
}

function checkContents(file: string): void {
  const architecture = /_(amd64|arm64)\.deb$/.exec(file)![1] as 'amd64' | 'arm64';
  const field = (name: string) =>
    execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();
  assert.deepEqual([field('Version'), field('Architecture')], [version, architecture]);
  const scratch = path.join(folder, architecture);
  execFileSync('dpkg-deb', ['--extract', file, scratch]);
  const node = path.join(scratch, 'usr/lib/gatehouse/bin/node');
  checkLibraries(node, field('Depends'));
  const machineOf = { amd64: 'Advanced Micro Devices X86-64', arm64: 'AArch64' }[architecture];
  const header = execFileSync('readelf', ['--file-header', node], { encoding: 'utf8' });
  assert.match(header, new RegExp(`Machine: +${machineOf}\\n`));
  const unit = path.join(scratch, 'lib/systemd/system/gatehouse.service');
  const security = ['security', '--offline=true', '--no-pager', `--threshold=${maxExposure * 10}`, unit];
  const rated = execFileSync('systemd-analyze', security, { encoding: 'utf8' });
  const manual = ['--warnings', '--local-file', path.join(scratch, 'usr/share/man/man1/gatehouse.1.gz')];
  const page = spawnSync('man', manual, { encoding: 'utf8', env: { ...process.env, MANWIDTH: '80' } });
  assert.deepEqual([page.status, page.stderr], [0, '']);
  assert.match(
    page.stdout,
    /members create[\s\S]*GATEHOUSE_PUBLIC_URL|GATEHOUSE_PUBLIC_URL[\s\S]*members create/,
  );
  rmSync(scratch, { recursive: true });
  // The contents differ only in Node, which lintian reads for long.
  if (architecture === 'amd64')
    execFileSync('lintian', ['--allow-root', '--fail-on', 'error,warning', file], { stdio: 'inherit' });
  console.log(
    `${architecture}: contents are as expected, ${/Overall exposure level[^:]*: ([\d.]+)/.exec(rated)?.[1]} of 10 exposed`,
  );
}

/** Node needs no other libraries than the package says, and of glibc no later version. */
function checkLibraries(node: string, depends: string): void {
  const packages: Readonly<Record<string, string>> = {
    'libatomic.so.1': 'libatomic1',
    'libstdc++.so.6': 'libstdc++6',
    'libgcc_s.so.1': 'libgcc-s1',
  };
  const dynamic = execFileSync('readelf', ['--dynamic', '--version-info', node], { encoding: 'utf8' });
  for (const [, library = ''] of dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)) {
    const needed =
      packages[library] ?? (/^(lib(c|m|dl|pthread|rt)\.so|ld-linux)/.test(library) ? 'libc6' : undefined);
    assert.ok(needed && depends.split(', ').some((each) => each.split(' ')[0] === needed), library);
  }
  const glibc = [...dynamic.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  assert.equal(depends.match(/libc6 \(>= 2\.(\d+)\)/)?.[1], String(Math.max(...glibc)));
}

function installLower(file: string): void {
  copyFileSync(file, machine.path('/root/new.deb'));
  withVersion(file, '0.0.1', machine.path('/root/old.deb'), path.join(folder, 'other-version'));
  machine.run('apt-get', 'update', '-q');
  const { stderr } = machine.try(
    'apt-get',
    'install',
    '-q',
    '-y',
    '--no-install-recommends',
    '/root/old.deb',
  );
  assert.match(stderr, /Set GATEHOUSE_PUBLIC_URL in \/etc\/gatehouse\/gatehouse\.env/);
  assert.match(machine.run('gatehouse', '--version'), new RegExp(`^${version.replaceAll('.', '\\.')}\\b`));
  assert.match(
    machine.run('stat', '--format=%A %U:%G', '/etc/gatehouse/gatehouse.env'),
    /^-rw-r----- root:gatehouse$/m,
  );
  assert.match(machine.run('ls', '/etc/systemd/system/multi-user.target.wants'), /gatehouse\.service/);
  for (const [shell, place] of Object.entries({
    bash: 'bash-completion/completions/gatehouse',
    zsh: 'zsh/vendor-completions/_gatehouse',
    fish: 'fish/vendor_completions.d/gatehouse.fish',
  }))
    assert.equal(
      machine.run('gatehouse', 'completions', shell),
      readFileSync(machine.path(`/usr/share/${place}`), 'utf8'),
    );
  const early = machine.try('gatehouse', 'setup-link');
  assert.match(early.stderr, /There is no database .* Start the service with systemctl start gatehouse/);
  machine.addSettings({
    GATEHOUSE_PUBLIC_URL: baseUrl,
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_SMTP_URL: mail.url,
    GATEHOUSE_MAIL_FROM: '"Rowing Club <office@example.org>"',
    GATEHOUSE_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
}

async function startService(): Promise<void> {
  service = machine.startService();
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await service.until(isReady, 'the service is ready');
}

/** As the package says: the settings, the start, the link. */
async function logInFirst(): Promise<void> {
  await startService();
  const link = /http:\S+\/dashboard\/setup\/\S+/.exec(machine.run('gatehouse', 'setup-link'))?.[0];
  assert.ok(link);
  becomeFirstOwner(link);
  assert.doesNotMatch(machine.try('gatehouse', 'doctor').stdout, /\.\/gatehouse/);
}

/** A command of root reads what only root can read, and runs as the user of the service. */
async function checkDroppedRights(): Promise<void> {
  const tail = machine.start('env', `GATEHOUSE_KEY=${key()}`, 'gatehouse', 'events', 'tail');
  const [uid, gid] = machine.run('sh', '-c', 'id -u gatehouse; id -g gatehouse').trim().split('\n');
  await tail.until(() => tail.status().get('Uid')?.startsWith(`${uid}\t`) ?? false, 'it drops its rights');
  const rights = ['Uid', 'Gid', 'Groups', 'NoNewPrivs', 'CapEff', 'CapPrm'].map((name) =>
    tail.status().get(name)!.trim(),
  );
  const [users, groups, none] = [
    Array(4).fill(uid).join('\t'),
    Array(4).fill(gid).join('\t'),
    '0'.repeat(16),
  ];
  assert.deepEqual(rights, [users, groups, gid, '1', none, none]);
  const caughtSignals = BigInt(`0x${tail.status().get('SigCgt')!.trim()}`);
  assert.equal(caughtSignals & (1n << BigInt(constants.signals.SIGUSR1 - 1)), 0n, 'nobody can debug it');
  tail.kill();

  machine.write('/root/people.csv', 'email,displayName\nada@example.org,Ada\n', 0o600);
  const imported = machine.run(
    'sh',
    '-c',
    `cd /root && GATEHOUSE_KEY=${key()} /usr/bin/gatehouse members import people.csv --json`,
  );
  assert.equal(JSON.parse(imported).created, 1, imported);
  const inRoot = machine.try('sh', '-c', 'cd /root && /usr/bin/gatehouse backup copy.db');
  assert.match(
    inRoot.stderr,
    /runs as the user gatehouse, which cannot write to \/root\. Choose a file in another folder/,
  );
  machine.run('gatehouse', 'backup', '/var/lib/gatehouse/copy.db');
  const owners = machine.run('find', '/var/lib/gatehouse', '-printf', '%U\n');
  assert.deepEqual(new Set(owners.trim().split('\n')), new Set([uid]));
  checkHostileUser();
  console.log('commands of root run as the user gatehouse, with the files that root names');
}

function key(): string {
  const permissions =
    'members:read,members:write,access-groups:read,access-groups:write,events:read,site:read';
  knownKey ||= machine
    .run('gatehouse', 'api-keys', 'create', '--name', 'Check', '--permissions', permissions)
    .split('\n', 1)[0]!;
  return knownKey;
}

/** The user of the service, and the environment of another user, get nothing of root. */
function checkHostileUser(): void {
  machine.write('/root/secret.csv', 'email\nsecret@example.org\n', 0o600);
  const asService = (line: string) => machine.run(...asUser('gatehouse'), 'sh', '-c', line);
  asService(
    'ln -s /root/secret.csv /var/lib/gatehouse/list.csv; mkdir /var/lib/gatehouse/in; ln -s /root /var/lib/gatehouse/in/root',
  );
  for (const place of ['/var/lib/gatehouse/list.csv', '/var/lib/gatehouse/in/root/secret.csv']) {
    const { exitCode, stderr } = machine.try(
      'env',
      `GATEHOUSE_KEY=${key()}`,
      'gatehouse',
      'members',
      'import',
      place,
    );
    assert.equal(exitCode, 1);
    assert.match(stderr, /No permission for/);
  }
  asService('rm -r /var/lib/gatehouse/list.csv /var/lib/gatehouse/in');
  asService(`echo "require('fs').writeFileSync('/root/ran', '')" >/tmp/evil.cjs`);
  machine.run('env', 'NODE_OPTIONS=--require=/tmp/evil.cjs', 'gatehouse', 'site', 'list');
  assert.ok(!existsSync(machine.path('/root/ran')));
  const anybody = machine.try(...asUser('nobody', 'nogroup'), 'gatehouse', 'site', 'list');
  assert.deepEqual([anybody.exitCode, anybody.stdout], [1, '']);
  assert.match(anybody.stderr, /The user nobody may not use .*Run this with sudo/);
  const withKey = ['--key', key(), '--url', baseUrl];
  machine.run(...asUser('nobody', 'nogroup'), 'gatehouse', 'members', 'list', ...withKey);
}

function asUser(user: string, group = user): string[] {
  return ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups'];
}

/** A login with an email, a synchronization in its thread, and threads of different priorities. */
async function useUnderLimits(): Promise<void> {
  machine.write('/root/address', list.url, 0o600);
  machine.run(
    'gatehouse',
    'sources',
    'create',
    '--name',
    'Office',
    '--type',
    'list',
    '--secret-file',
    '/root/address',
  );
  machine.run('gatehouse', 'sources', 'collections', 'choose', 'Office');
  machine.run('gatehouse', 'sources', 'update', 'Office', '--enabled');
  await service!.until(
    () => machine.run('gatehouse', 'members', 'list').includes('listed@example.org'),
    'the list is read',
  );

  const login = {
    method: 'POST',
    body: new URLSearchParams({ email: 'ada@example.org' }),
    redirect: 'manual',
  } as const;
  assert.equal((await fetch(`${baseUrl}/_gatehouse/login`, login)).status, 303);
  await service!.until(() => mail.deliveries.length > 0, 'an email is sent');
  const text = mail.deliveries[0]!.source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const link = /http:\/\/localhost:\d+\/_gatehouse\/link\/[\w-]{43}/.exec(text)![0];
  const pressed = await fetch(link, { method: 'POST', redirect: 'manual' });
  assert.match(pressed.headers.getSetCookie().join(), /gatehouse/);

  const status = service!.status();
  assert.deepEqual(
    ['NoNewPrivs', 'Seccomp', 'CapBnd'].map((name) => status.get(name)),
    ['1', '2', '0'.repeat(16)],
  );
  const threads = readdirSync(`/proc/${service!.processId}/task`);
  const nicenesses = threads.map((id) =>
    Number(
      readFileSync(`/proc/${service!.processId}/task/${id}/stat`, 'utf8').split(') ')[1]!.split(' ')[16],
    ),
  );
  assert.ok(Math.max(...nicenesses) > 0, 'threads lower their priority');
  assert.doesNotMatch(service!.output, /"level":(50|60)/);
  console.log('under the limits of the unit: a login with an email, and a synchronization');
}

async function upgrade(): Promise<void> {
  await service!.stop();
  assert.match(machine.run('dpkg', '--status', 'gatehouse'), /^Version: 0\.0\.1$/m);
  machine.run('dpkg', '--install', '--force-confold', '/root/new.deb');
  assert.match(machine.run('dpkg', '--status', 'gatehouse'), new RegExp(`^Version: ${version}$`, 'm'));
  await startService();
  assert.match(machine.run('gatehouse', 'members', 'list'), /ada@example\.org/);
  await service!.stop();
  console.log('an upgrade keeps the settings and the data');
}

async function usePostgres(): Promise<void> {
  const secretKey = machine.run('gatehouse', 'secret-key').trim();
  machine.addSettings({
    GATEHOUSE_DATABASE_URL: await postgres.createDatabase(),
    GATEHOUSE_SECRET_KEY: secretKey,
  });
  await startService();
  machine.run('gatehouse', 'members', 'create', '--email', 'joan@example.org');
  assert.match(machine.run('gatehouse', 'members', 'list'), /joan@example\.org/);
  await service!.stop();
  console.log('under the limits of the unit: PostgreSQL');
}

function removeAndPurge(): void {
  const hasData = () => existsSync(machine.path('/var/lib/gatehouse/data/gatehouse.db'));
  machine.run('dpkg', '--remove', 'gatehouse');
  assert.ok(hasData());
  assert.ok(existsSync(machine.path('/etc/gatehouse/gatehouse.env')));
  machine.run('dpkg', '--purge', 'gatehouse');
  assert.ok(hasData());
  assert.ok(!existsSync(machine.path('/etc/gatehouse')));
  assert.ok(!existsSync(machine.path('/var/cache/gatehouse')));
  machine.run('dpkg', '--install', '/root/new.deb');
  machine.run('sh', '-c', 'echo gatehouse gatehouse/purge-data boolean true | debconf-set-selections');
  machine.run('dpkg', '--purge', 'gatehouse');
  assert.ok(!existsSync(machine.path('/var/lib/gatehouse')));
  const left = machine.run('find', '/etc', '/usr', '/lib', '/var/lib/systemd', '-name', '*gatehouse*');
  assert.equal(left, '');
  console.log('a removal and a purge keep the data; a purge deletes it if debconf was answered yes');
}

/** In a process of its own, because this one waits for commands. */
async function serveList(content: string) {
  const pages = path.join(folder, 'list');
  mkdirSync(pages);
  writeFileSync(path.join(pages, 'people.csv'), content);
  const listPort = await freePort();
  const options = ['-m', 'http.server', String(listPort), '--bind', '127.0.0.1', '--directory', pages];
  const server = spawn('/usr/bin/python3', options, { stdio: 'ignore' });
  return { url: `http://127.0.0.1:${listPort}/people.csv`, stop: () => server.kill() };
}
