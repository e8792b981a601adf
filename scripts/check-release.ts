// Tests the release as a user installs it: built, unpacked into an empty folder, packages installed, and started. It
// must stay small, include its pages and its API reference, and work without this repository.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { becomeFirstOwner, getPage } from './release/first-owner.ts';
import { freePort, startInTerminal, userEnvironment } from './user-terminal.ts';

const maxMegabytes = 26.7;
const startTimeoutSeconds = 120;

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-release-'));
const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const environment = userEnvironment({ GATEHOUSE_PORT: String(port) });
const get = (where: string, headers?: Record<string, string>) => getPage(baseUrl + where, headers);
const run = (cwd: string, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd, env: environment, encoding: 'utf8', maxBuffer: 1e9 });

run(root, 'npm', 'run', 'release', '--', '--only', 'tarball');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
run(folder, 'tar', '-xzf', path.join(root, `dist/gatehouse-${version}.tgz`));
const release = path.join(folder, `gatehouse-${version}`);
run(release, 'npm', 'ci', '--omit=dev');
const service = startInTerminal('./gatehouse serve', release, environment);
process.once('SIGTERM', () => void service.kill().then(() => process.exit(1)));
try {
  assert.deepEqual(readdirSync(folder), [path.basename(release)]);
  const megabytes = sizeOf(release) / 1e6;
  assert.ok(megabytes <= maxMegabytes, `${megabytes} MB without Node`);
  console.log(`${megabytes.toFixed(1)} MB without Node`);

  const key = await service.printed(/^ +(gate_\w+)$/m, startTimeoutSeconds);
  await service.printed(/is ready at/, startTimeoutSeconds);
  assert.doesNotMatch(service.output(), /Installing|Building/);
  checkDashboard(await service.printed(/(http:\S+\/dashboard\/setup\/\S+)/, 1));
  checkReference();
  assert.match(get('/help/guides/install.html'), /<h1/);
  checkBill();
  const members = get('/api/v1/members', { authorization: `Bearer ${key}` });
  assert.deepEqual(JSON.parse(members).data, []);
  assert.match(run(release, './gatehouse', 'site', 'list'), /main/);
  await service.stop();
  console.log('installed, started with its dashboard and its reference, and stopped');
} catch (error) {
  console.error(service.output());
  throw error;
} finally {
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** The size in bytes, without the included Node. */
function sizeOf(place: string): number {
  if (/[\\/]node_modules[\\/]node-[\w-]+$/.test(place)) return 0;
  const entry = lstatSync(place);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0);
}

function checkDashboard(setupUrl: string) {
  becomeFirstOwner(setupUrl);
  assert.match(readFileSync(path.join(release, 'dashboard/dist/licenses.md'), 'utf8'), /react-dom/);
}

function checkReference() {
  assert.match(get('/docs'), /\/docs\/scalar\.js/);
  assert.ok(get('/docs/scalar.js').length > 1_000_000);
  assert.equal(JSON.parse(get('/api/v1/openapi.json')).info.title, 'Gatehouse');
}

/** The bill of materials names everything that is built in, copied or installed, and is the one beside the release. */
function checkBill() {
  const file = `gatehouse-${version}.cdx.json`;
  const text = readFileSync(path.join(release, file), 'utf8');
  assert.equal(text, readFileSync(path.join(root, 'dist', file), 'utf8'));
  const { bomFormat, specVersion, metadata, components, dependencies } = JSON.parse(text);
  assert.deepEqual([bomFormat, specVersion, metadata.component.version], ['CycloneDX', '1.6', version]);
  const listed = components.map(({ purl }: { purl: string }) => purl);
  assert.equal(new Set(listed).size, listed.length);
  assert.equal(dependencies.length, listed.length + 1);
  for (const component of components) {
    assert.match(component.hashes[0].content, /^[0-9a-f]{128}$/);
    assert.ok(component.licenses.length > 0, component.purl);
  }
  for (const name of [
    'fastify',
    'react',
    'vue',
    '%40fontsource-variable/inter',
    '%40scalar/fastify-api-reference',
  ])
    assert.ok(
      listed.some((purl: string) => purl.startsWith(`pkg:npm/${name}@`)),
      name,
    );
  for (const name of readdirSync(path.join(release, 'node_modules')).filter((each) => /^node-/.test(each)))
    assert.ok(
      listed.some((purl: string) => purl.startsWith(`pkg:npm/${name}@`)),
      name,
    );
  assert.ok(!listed.some((purl: string) => purl.startsWith('pkg:npm/vitest@')));
}
