import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const platform = `${process.platform}-${process.arch}`;
const installing = 'Installing the locked packages';
let folder: string;

/** A repository in small: these scripts, one program, and a locked Node that is the one of this run. */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-set-up-'));
  cpSync(path.join(import.meta.dirname, 'set-up.mjs'), path.join(folder, 'scripts/set-up.mjs'));
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
  write(
    'package.json',
    JSON.stringify({ optionalDependencies: { [`node-${platform}`]: 'file:locked-node' } }),
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

test('of several first runs at once, one installs and all go on', async () => {
  const results = await Promise.all([1, 2, 3].map((each) => run([String(each)]).ended));
  expect(results.filter(({ output }) => output.includes(installing))).toHaveLength(1);
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
  expect((await run(['x']).ended).output).toMatch(/using its own.*\narguments: x/);
  const old = await run([], { asNode: '20.0.0' }).ended;
  expect(old.code).toBe(1);
  expect(old.output).toContain('Install Node 24 or later');
});

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
