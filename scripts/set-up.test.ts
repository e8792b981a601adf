import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const platform = `${process.platform}-${process.arch}`;
const installing = 'Installing the locked packages';
const building = 'Building the dashboard';
const buildingService = 'Building the service';
let folder: string;
/** The repository as freshly cloned, and after a first run. */
let fresh: string;
let used: string;
/** What the first run printed. */
let firstOutput: string;
/** The files that npm changed for another package. */
let withOther: Map<string, string> | undefined;

/**
 * A minimal repository: these scripts, one program, the Node of this run as the locked one, and a Vite whose builds
 * contain their source.
 */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-set-up-'));
  for (const script of ['set-up.mjs', 'builds.mjs', 'progress.mjs', 'node-path.mjs']) {
    cpSync(path.join(import.meta.dirname, script), path.join(folder, 'scripts', script));
  }
  write(
    'scripts/run.mjs',
    `import { runOnLockedNode } from './set-up.mjs';
    const args = process.argv.slice(2);
    await runOnLockedNode('program.mjs', args, { forDevelopment: args[0] === 'test' });`,
  );
  write(
    'program.mjs',
    `process.on('SIGTERM', () => process.exit(7));
    console.log('arguments:', ...process.argv.slice(2));
    if (process.argv[2] === 'stay') setInterval(() => {}, 1000);`,
  );
  cpSync(path.join(import.meta.dirname, '../gatehouse'), path.join(folder, 'gatehouse'));
  write(
    'server/bin/gatehouse.js',
    `console.log(JSON.stringify({ args: process.argv.slice(2), folder: process.cwd(), pid: process.pid }));
    console.log(require('node:fs').readFileSync(0, 'utf8'));
    if (process.argv[2] === 'fail') process.exit(3);`,
  );
  write('locked-node/package.json', JSON.stringify({ name: `node-${platform}`, version: '26.0.0' }));
  lockedNode(`exec "${process.execPath}" "$@"`);
  write('test-tool/package.json', JSON.stringify({ name: 'test-tool', version: '1.0.0' }));
  write('locked-vite/package.json', JSON.stringify({ name: 'vite', version: '8.0.0' }));
  write(
    'locked-vite/bin/vite.js',
    `const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
    const source = readFileSync('src/main.tsx', 'utf8');
    if (source === 'broken') throw new Error('main.tsx is broken');
    const place = process.argv[process.argv.indexOf('--outDir') + 1];
    mkdirSync(place + '/entries', { recursive: true });
    writeFileSync(place + '/index.html', source);
    writeFileSync(place + '/entries/program.js', 'console.log("built")');`,
  );
  for (const built of ['dashboard', 'server']) {
    write(`${built}/src/main.tsx`, 'hello');
    write(`${built}/vite.config.ts`, '');
  }
  write(
    'package.json',
    JSON.stringify({
      dependencies: { vite: 'file:locked-vite' },
      devDependencies: { 'test-tool': 'file:test-tool' },
      optionalDependencies: { [`node-${platform}`]: 'file:locked-node' },
    }),
  );
  execFileSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: folder, stdio: 'ignore' });
  fresh = folder;
  folder = copyOf(fresh);
  ({ output: firstOutput } = await run(['a', 'b c']).ended);
  used = folder;
});
beforeEach(() => {
  folder = copyOf(fresh);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => {
  for (const each of [fresh, used]) rmSync(each, { recursive: true, force: true });
});

/** The folder in the state after a first run. */
function setUpBefore() {
  rmSync(folder, { recursive: true, force: true });
  folder = copyOf(used);
}

test('packages are installed by the first run and not again by the next', async () => {
  expect(firstOutput).toContain(installing);
  expect(firstOutput).toContain('arguments: a b c');
  setUpBefore();
  expect((await run([]).ended).output).not.toContain(installing);
});

test('packages that only tests need are installed by the first run that needs them, and then remain', async () => {
  setUpBefore();
  expect(existsSync(path.join(folder, 'node_modules/test-tool'))).toBe(false);
  const first = await run(['test']).ended;
  expect(first.output).toContain(installing);
  expect(first.output).toContain('arguments: test');
  for (const args of [['test'], ['start']]) {
    expect((await run(args).ended).output).not.toContain(installing);
    expect(existsSync(path.join(folder, 'node_modules/test-tool'))).toBe(true);
  }
});

test('packages that npm has installed directly are recognized', async () => {
  execFileSync('npm', ['ci', '--offline'], { cwd: folder, stdio: 'ignore' });
  expect((await run([]).ended).output).not.toContain(installing);
});

test('packages are installed again when the lock file has changed', async () => {
  setUpBefore();
  lockOther();
  expect((await run([]).ended).output).toContain(installing);
});

test('the pages are built by the first run, and again when their sources have changed', async () => {
  expect(firstOutput).toContain(building);
  setUpBefore();
  expect(page()).toBe('hello');
  expect((await run([]).ended).output).not.toContain(building);
  write('dashboard/src/main.tsx', 'hello again');
  expect((await run([]).ended).output).toContain(building);
  expect(page()).toBe('hello again');
});

test('the service is built by the first run, and again only when the content of its sources has changed', async () => {
  expect(firstOutput).toContain(buildingService);
  setUpBefore();
  const later = new Date(Date.now() + 60_000);
  utimesSync(path.join(folder, 'server/src/main.tsx'), later, later);
  expect((await run([]).ended).output).not.toContain(buildingService);
  write('server/src/main.tsx', 'hallo');
  expect((await run([]).ended).output).toContain(buildingService);
  write('server/src/added.ts', '');
  expect((await run([]).ended).output).toContain(buildingService);
});

test('the command line runs as it was built, and from its sources if they have changed since', () => {
  setUpBefore();
  cpSync(
    path.join(import.meta.dirname, '../server/bin/gatehouse.js'),
    path.join(folder, 'server/bin/gatehouse.js'),
  );
  expect(gatehouse(['site', 'list']).stdout).toBe('built\n');
  write('server/src/commands/program.ts', "console.log('from sources' satisfies string)");
  expect(gatehouse(['site', 'list']).stdout).toBe('from sources\n');
});

test('a failed build of the pages stops the run with the reason, and the old pages stay', async () => {
  setUpBefore();
  write('dashboard/src/main.tsx', 'broken');
  for (let time = 0; time < 2; time++) {
    const { code, output } = await run([]).ended;
    expect(code).toBe(1);
    expect(output).toContain('main.tsx is broken');
    expect(output).toContain('Building the dashboard has failed');
    expect(output).not.toContain('arguments:');
  }
  expect(page()).toBe('hello');
});

test('of several concurrent first runs one installs and builds, and all continue', async () => {
  const results = await Promise.all([1, 2, 3].map((each) => run([String(each)]).ended));
  for (const work of [installing, building, buildingService]) {
    expect(results.filter(({ output }) => output.includes(work))).toHaveLength(1);
  }
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
});

test('a run that was killed during the installation does not block the next', async () => {
  write('.set-up-running/pid', '99999999');
  expect((await run([]).ended).output).toContain('arguments:');
});

test('a signal reaches the program, and its exit code is returned', async () => {
  setUpBefore();
  const { child, ended, printed } = run(['stay']);
  await printed('arguments: stay');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(7);
});

test('without libatomic every run says what to install', async () => {
  lockedNode('echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127');
  for (let time = 0; time < 2; time++) {
    const { code, output } = await run([], { asNode: '20.0.0' }).ended;
    expect(code).toBe(1);
    expect(output).toMatch(/^Node needs the library libatomic.*apt-get install libatomic1/m);
  }
});

test('if the locked Node does not run, a recent Node of the machine is used', async () => {
  lockedNode('exit 1');
  expect((await run(['x']).ended).output).toMatch(/using its own.*[\s\S]*\narguments: x/);
  const old = await run([], { asNode: '20.0.0' }).ended;
  expect(old.code).toBe(1);
  expect(old.output).toContain('Install Node 24 or later');
});

test('the installation shows its progress', async () => {
  const names = ['vite', `node-${platform}`];
  const packages: Record<string, object> = Object.fromEntries(
    names.map((name) => [`node_modules/${name}`, manifestOf(name)]),
  );
  // Packages for other platforms do not count, in either of npm's notations.
  packages['node_modules/other'] = { version: '1.0.0', optional: true, os: ['another'], cpu: 'another' };
  packages['node_modules/not-here'] = { version: '1.0.0', optional: true, os: [`!${process.platform}`] };
  write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
  // A fake npm that unpacks one package, and the other one after a signal.
  write(
    'fake/npm-cli.js',
    `const { cpSync, existsSync, writeFileSync } = require('node:fs');
    cpSync('locked-vite', 'node_modules/vite', { recursive: true });
    const wait = () => {
      if (!existsSync('go-on')) return setTimeout(wait, 50);
      cpSync('locked-node', 'node_modules/node-${platform}', { recursive: true });
      writeFileSync('node_modules/.package-lock.json', '${JSON.stringify({ packages })}');
    };
    wait();`,
  );
  const { ended, printed } = run(['x'], { npm: path.join(folder, 'fake/npm-cli.js') });
  await printed('1 of 2');
  write('go-on', '');
  const { output } = await ended;
  expect(output).toMatch(/Installing packages: finished after \d+ s\./);
  expect(output).toMatch(/Building the dashboard: finished after \d+ s\./);
  expect(output).toContain('arguments: x');
});

test('on a terminal a bar shows the progress', async () => {
  const { showProgress } = await import(path.join(import.meta.dirname, 'progress.mjs'));
  let written = '';
  const stream = { isTTY: true, write: (text: string) => (written += text) };
  const done = showProgress('Installing', () => ({ done: 6, total: 12 }), { stream });
  done('finished');
  expect(written).toContain('[############------------] 6 of 12');
  expect(written.endsWith('\r\x1b[KInstalling: finished after 0 s.\n')).toBe(true);
});

describe('gatehouse', () => {
  test('runs the set-up if needed, and leaves the standard output to the command', () => {
    const { status, stdout, stderr } = gatehouse(['member', 'list', '--json'], { input: 'from a pipe' });
    expect(status).toBe(0);
    expect(stderr).toContain(installing);
    const [progress, input] = stdout.split('\n');
    expect(JSON.parse(progress!).args).toEqual(['member', 'list', '--json']);
    expect(input).toBe('from a pipe');
    expect(gatehouse(['again']).stderr).toBe('');
  });

  test('runs from any folder, to which relative paths refer, and through symbolic links', () => {
    setUpBefore();
    const elsewhere = path.join(folder, 'else where');
    mkdirSync(path.join(elsewhere, 'bin'), { recursive: true });
    symlinkSync('../../gatehouse', path.join(elsewhere, 'bin/first'));
    symlinkSync(path.join(elsewhere, 'bin/first'), path.join(elsewhere, 'second'));
    for (const program of ['../gatehouse', './bin/first', path.join(elsewhere, 'second')]) {
      const { stdout, stderr } = gatehouse(['import', 'a file.csv'], { program, cwd: elsewhere });
      expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({
        args: ['import', 'a file.csv'],
        folder: elsewhere,
      });
      expect(stderr).toBe('');
    }
  });

  test('returns the exit code, and replaces itself by the command, so that signals reach it', () => {
    setUpBefore();
    const { status, stdout, pid } = gatehouse(['fail']);
    expect(status).toBe(3);
    expect(JSON.parse(stdout.split('\n')[0]!).pid).toBe(pid);
  });

  test('needs no Node of the machine after the set-up, and finds its own after a move', () => {
    setUpBefore();
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    folder = moved;
    const { status, stdout } = gatehouse(['x'], { env: { PATH: '/usr/bin:/bin' } });
    expect(status).toBe(0);
    expect(stdout).toContain('"x"');
  });

  test('builds pages only for the service, and installs newly locked packages', () => {
    setUpBefore();
    write('dashboard/src/main.tsx', 'hello again');
    expect(gatehouse(['site', 'list']).stderr).toBe('');
    expect(gatehouse(['serve']).stderr).toContain(building);
    expect(page()).toBe('hello again');

    lockOther();
    expect(gatehouse(['site', 'list']).stderr).toContain(installing);
  });

  test('works in a read-only folder of another user', () => {
    setUpBefore();
    // The unpacked files may have newer times, so the check is repeated each time.
    utimesSync(path.join(folder, 'package-lock.json'), new Date(), new Date(Date.now() + 60_000));
    const { status, stderr } = gatehouse(['serve'], { readOnly: true });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

test('on an old Node one line says which program to start instead', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(pretend('20.20.2'))}`,
      path.join(import.meta.dirname, '../server/bin/gatehouse.js'),
      'serve',
    ],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Gatehouse needs Node\.js 24 or later, and this is 20\.20\.2\. Start \.\/gatehouse instead: .+\n$/,
  );
});

function copyOf(repository: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'gatehouse-set-up-'));
  cpSync(repository, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return copy;
}

/** Locks another package, as npm does: the first time with npm, and then with the same files. */
function lockOther() {
  write('other/package.json', JSON.stringify({ name: 'other', version: '1.0.0' }));
  if (withOther === undefined) {
    const args = ['install', '--package-lock-only', '--offline', './other'];
    execFileSync('npm', args, { cwd: folder, stdio: 'ignore' });
    const files = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
    withOther = new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
  }
  for (const [file, text] of withOther) write(file, text);
}

function manifestOf(name: string) {
  const file = path.join(folder, `locked-${name.split('-')[0]}`, 'package.json');
  return { version: JSON.parse(readFileSync(file, 'utf8')).version };
}

/** @param readOnly run as a user without write access to the folder; tests that run as root switch to one */
function gatehouse(
  args: string[],
  {
    program = './gatehouse',
    cwd = folder,
    input = '',
    env = process.env,
    readOnly = false,
  }: { program?: string; cwd?: string; input?: string; env?: NodeJS.ProcessEnv; readOnly?: boolean } = {},
) {
  if (readOnly) execFileSync('chmod', ['-R', 'a+rX,a-w', folder]);
  const asNobody = readOnly && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const options = { cwd, input, env, encoding: 'utf8', ...asNobody } as const;
  try {
    return spawnSync(program, args, options);
  } finally {
    if (readOnly) execFileSync('chmod', ['-R', 'u+w', folder]);
  }
}

function page() {
  return readFileSync(path.join(folder, 'dashboard/dist/index.html'), 'utf8');
}

function write(file: string, text: string) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function lockedNode(script: string) {
  write('locked-node/bin/node', `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, 'locked-node/bin/node'), 0o755);
}

function pretend(version: string) {
  return `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
}

function run(
  args: string[],
  { asNode = process.versions.node, npm }: { asNode?: string; npm?: string } = {},
) {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend(asNode))}`, 'scripts/run.mjs', ...args],
    { cwd: folder, env: npm ? { ...process.env, npm_execpath: npm } : process.env },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  const printed = (text: string) => expect.poll(() => output, { timeout: 20_000 }).toContain(text);
  return { child, ended, printed };
}
