import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const platform = `${process.platform}-${process.arch}`;
const installing = 'Installing the locked packages';
const building = 'Building the dashboard';
let folder: string;

/**
 * A repository in small: these scripts, one program, a locked Node that is the one of this run, and a Vite whose pages
 * say what they were made of.
 */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-set-up-'));
  for (const script of ['set-up.mjs', 'pages.mjs']) {
    cpSync(path.join(import.meta.dirname, script), path.join(folder, 'scripts', script));
  }
  write(
    'scripts/run.mjs',
    `import { runInOurPlace } from './set-up.mjs';
    await runInOurPlace('program.mjs', process.argv.slice(2));`,
  );
  write(
    'program.mjs',
    `console.log('arguments:', ...process.argv.slice(2));
    process.on('SIGTERM', () => process.exit(7));
    if (process.argv[2] === 'stay') setInterval(() => {}, 1000);`,
  );
  write('locked-node/package.json', JSON.stringify({ name: `node-${platform}`, version: '26.0.0' }));
  lockedNode(`exec "${process.execPath}" "$@"`);
  write('locked-vite/package.json', JSON.stringify({ name: 'vite', version: '8.0.0' }));
  write(
    'locked-vite/bin/vite.js',
    `const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
    const source = readFileSync('src/main.tsx', 'utf8');
    if (source === 'broken') throw new Error('main.tsx is broken');
    const place = process.argv[process.argv.indexOf('--outDir') + 1];
    mkdirSync(place, { recursive: true });
    writeFileSync(place + '/index.html', source);`,
  );
  write('dashboard/src/main.tsx', 'hello');
  write(
    'package.json',
    JSON.stringify({
      dependencies: { vite: 'file:locked-vite' },
      optionalDependencies: { [`node-${platform}`]: 'file:locked-node' },
    }),
  );
  execFileSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: folder, stdio: 'ignore' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('packages are installed by the first run and left alone by the next', async () => {
  const first = await run(['a', 'b c']).ended;
  expect(first.output).toContain(installing);
  expect(first.output).toContain('arguments: a b c');
  expect((await run([]).ended).output).not.toContain(installing);
});

test('packages that npm has installed otherwise are known', async () => {
  execFileSync('npm', ['ci', '--offline'], { cwd: folder, stdio: 'ignore' });
  expect((await run([]).ended).output).not.toContain(installing);
});

test('packages are installed again when the lock file has changed', async () => {
  await run([]).ended;
  write('other/package.json', JSON.stringify({ name: 'other', version: '1.0.0' }));
  execFileSync('npm', ['install', '--package-lock-only', '--offline', './other'], {
    cwd: folder,
    stdio: 'ignore',
  });
  expect((await run([]).ended).output).toContain(installing);
});

test('the pages are built by the first run, and again when their sources have changed', async () => {
  expect((await run([]).ended).output).toContain(building);
  expect(page()).toBe('hello');
  expect((await run([]).ended).output).not.toContain(building);
  write('dashboard/src/main.tsx', 'hello again');
  expect((await run([]).ended).output).toContain(building);
  expect(page()).toBe('hello again');
});

test('pages that cannot be built stop the run and say why, and those from before stay', async () => {
  await run([]).ended;
  write('dashboard/src/main.tsx', 'broken');
  for (let time = 0; time < 2; time++) {
    const { code, output } = await run([]).ended;
    expect(code).toBe(1);
    expect(output).toContain('main.tsx is broken');
    expect(output).toContain('The dashboard could not be built');
    expect(output).not.toContain('arguments:');
  }
  expect(page()).toBe('hello');
});

test('of several first runs at once, one installs and builds, and all go on', async () => {
  const results = await Promise.all([1, 2, 3].map((each) => run([String(each)]).ended));
  for (const work of [installing, building]) {
    expect(results.filter(({ output }) => output.includes(work))).toHaveLength(1);
  }
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
});

test('a run that was killed while it installed does not stop the next', async () => {
  write('.set-up-running/pid', '99999999');
  expect((await run([]).ended).output).toContain('arguments:');
});

test('a signal reaches the program, and its exit code comes back', async () => {
  const { child, ended, printed } = run(['stay']);
  await printed('arguments: stay');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(7);
});

test('a machine without libatomic is told what to install, each time', async () => {
  lockedNode('echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127');
  for (let time = 0; time < 2; time++) {
    const { code, output } = await run([], { asNode: '20.0.0' }).ended;
    expect(code).toBe(1);
    expect(output).toMatch(/^Node needs the library libatomic.*apt-get install libatomic1/m);
  }
});

test('where the locked Node does not run, a recent one of the machine does', async () => {
  lockedNode('exit 1');
  expect((await run(['x']).ended).output).toMatch(/using its own.*[\s\S]*\narguments: x/);
  const old = await run([], { asNode: '20.0.0' }).ended;
  expect(old.code).toBe(1);
  expect(old.output).toContain('Install Node 24 or later');
});

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

function run(args: string[], { asNode = process.versions.node } = {}) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${asNode}' } })`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'scripts/run.mjs', ...args],
    { cwd: folder },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  const printed = (text: string) => expect.poll(() => output, { timeout: 20_000 }).toContain(text);
  return { child, ended, printed };
}
