// Tests the image as its users run it: made twice with the same bytes, read by the programs of others, and started as its
// user with a read-only root, until its first owner is logged in. Then the image that the Containerfile makes. Needs root.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startInTerminal, userEnvironment } from '../user-terminal.ts';
import { createClone } from './clone.ts';
import { createDebianRoot } from './debian-root.ts';
import { becomeFirstOwner } from './first-owner.ts';
import { Container, unpackImage } from './image/container.ts';
import { owner, program } from './image/layers.ts';
import { architectures } from './locked-node.ts';
import { version } from './release-folder.ts';

const maxMegabytes = 50;
const startTimeoutSeconds = 60;
const emulatedStartTimeoutSeconds = 240;

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-image-'));
const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
const layout = path.join(first, `gatehouse-${version}-oci`);
const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, env: userEnvironment(), encoding: 'utf8', maxBuffer: 1e9 });
const running: ReturnType<typeof startInTerminal>[] = [];
const containers: Container[] = [];
process.once('SIGTERM', () => void end().then(() => process.exit(1)));

try {
  makeTwice();
  readWithOthers();
  const unpacked = path.join(folder, 'amd64');
  unpackImage(layout, `${version}-amd64`, unpacked);
  const steps = async () => {
    await runUntilLogin(unpacked);
    await refuseFolderOfRoot(unpacked);
    await runBuiltImage();
  };
  await Promise.all([startEmulated(), steps()]);
} catch (error) {
  for (const { output } of running) console.error(output());
  throw error;
} finally {
  await end();
}

async function end(): Promise<void> {
  for (const each of running) await each.kill();
  for (const container of containers) container.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** The second time in another clone, which builds the service and the pages itself. */
function makeTwice(): void {
  const clone = path.join(folder, 'clone');
  createClone(root, clone);
  const release = (place: string, out: string) =>
    run(place, 'npm', 'run', '--silent', 'release', '--', '--only', 'tarball,image', '--out', out);
  release(root, first);
  // With the packages, and with what is cached by its content: downloads, and compressed layers.
  for (const modules of ['node_modules', 'docs-site/node_modules'])
    run(folder, 'cp', '-al', path.join(root, modules), path.join(clone, modules));
  release(clone, second);
  const [sums, others] = [first, second].map((out) => readFileSync(path.join(out, 'SHA256SUMS'), 'utf8'));
  assert.equal(sums, others);
  run(first, 'sha256sum', '--check', '--quiet', 'SHA256SUMS');
  rmSync(clone, { recursive: true });
  rmSync(second, { recursive: true });
  console.log(`made twice, with the same bytes in ${sums!.trim().split('\n').length} files`);
}

interface Inspected {
  readonly Architecture: string;
  readonly Labels: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly layers: readonly { readonly size: number }[];
}

function readWithOthers(): void {
  const inspect = (image: string): Inspected => JSON.parse(run(folder, 'skopeo', 'inspect', image));
  for (const architecture of architectures) {
    const name = `oci:${layout}:${version}-${architecture}`;
    const image = inspect(name);
    assert.equal(image.Architecture, architecture);
    assert.equal(image.Labels['org.opencontainers.image.version'], version);
    assert.match(image.Labels['org.opencontainers.image.revision']!, /^[0-9a-f]{40}$/);
    const { layers } = JSON.parse(run(folder, 'skopeo', 'inspect', '--raw', name)) as Manifest;
    const megabytes = layers.reduce((sum, { size }) => sum + size, 0) / 1e6;
    assert.ok(megabytes <= maxMegabytes, `${megabytes} MB for ${architecture}`);
    console.log(`${architecture}: ${megabytes.toFixed(1)} MB`);
    const archive = path.join(first, `gatehouse-${version}-${architecture}.docker.tar`);
    // Version 1.9 of skopeo does not read a compressed archive, not even one of its own.
    run(folder, 'gunzip', `${archive}.gz`);
    assert.equal(inspect(`docker-archive:${archive}`).Architecture, architecture);
    rmSync(archive);
  }
  const copies = [`oci:${layout}:${version}`, `oci:${folder}/copy:${version}`];
  run(folder, 'skopeo', 'copy', '--all', '--quiet', ...copies);
  assert.equal(inspect(`oci:${folder}/copy:${version}`).Labels['org.opencontainers.image.licenses'], 'MIT');
  rmSync(path.join(folder, 'copy'), { recursive: true });
  console.log('read and copied by skopeo');
}

async function start(unpacked: string, name: string) {
  const container = await createContainer(unpacked, name, owner);
  const service = startInTerminal(container.line, folder, userEnvironment());
  running.push(service);
  return { container, service };
}

/** A container with a folder of data that belongs to the given user. */
async function createContainer(unpacked: string, name: string, dataOwner: number): Promise<Container> {
  const port = await freePort();
  const data = path.join(folder, `${name}-data`);
  mkdirSync(data);
  chownSync(data, dataOwner, dataOwner);
  const environment = { GATEHOUSE_PORT: String(port), GATEHOUSE_PUBLIC_URL: `http://localhost:${port}` };
  const container = new Container(unpacked, { place: path.join(folder, name), data, environment });
  containers.push(container);
  return container;
}

async function runUntilLogin(unpacked: string): Promise<void> {
  const startedAt = performance.now();
  const { container, service } = await start(unpacked, 'gatehouse-1');
  await service.printed(/is ready at/, startTimeoutSeconds);
  assert.match(container.execute('gatehouse', 'health'), /ready/);
  // The log of a container does not have it.
  const [setupUrl] =
    /http:\S+\/dashboard\/setup\/\S+/.exec(container.execute('gatehouse', 'setup-link')) ?? [];
  assert.ok(setupUrl);
  becomeFirstOwner(setupUrl);
  console.log(`logged in ${((performance.now() - startedAt) / 1000).toFixed(1)} s after the start`);
  assert.match(container.execute('gatehouse', 'site', 'list'), /main/);
  assert.match(container.execute('gatehouse', '--version'), new RegExp(version.replaceAll('.', '\\.')));
  // It is the first process of its container, which has no default action for signals.
  await service.stop();
  console.log('stopped by SIGTERM as the first process');
}

/** As with a folder that Docker has created for `-v`. */
async function refuseFolderOfRoot(unpacked: string): Promise<void> {
  const { line } = await createContainer(unpacked, 'gatehouse-2', 0);
  const { stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  assert.match(stderr, /belongs to the user 0, and this is the user 10001\..*chown -R 10001:10001 /);
  console.log('named the owner of a folder that it cannot use');
}

/** Builds the Containerfile on a fresh Debian, as its first lines say, and starts the image. */
async function runBuiltImage(): Promise<void> {
  const storage = ['--storage-driver', 'vfs', '--root', `${folder}/storage`, '--runroot', `${folder}/run`];
  const buildah = (command: string, ...args: string[]) =>
    run(release, 'buildah', ...storage, command, ...args).trim();
  const debian = path.join(folder, 'debian');
  createDebianRoot(debian);
  run(folder, 'tar', '-xzf', path.join(first, `gatehouse-${version}.tgz`));
  const release = path.join(folder, `gatehouse-${version}`);
  run(release, 'npm', 'ci', '--omit=dev');
  const base = buildah('from', 'scratch');
  buildah('add', '--quiet', base, debian, '/');
  buildah('commit', '--quiet', '--rm', base, 'localhost/debian:12');
  rmSync(debian, { recursive: true });
  const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', 'BASE=localhost/debian:12'];
  buildah('bud', '--quiet', ...options, '--file', 'packaging/image/Containerfile', '--tag', 'gatehouse', '.');
  buildah('push', '--quiet', '--format', 'oci', 'gatehouse', `oci:${folder}/built:built`);
  const unpacked = path.join(folder, 'unpacked');
  unpackImage(path.join(folder, 'built'), 'built', unpacked);
  const { container, service } = await start(unpacked, 'gatehouse-3');
  await service.printed(/is ready at/, startTimeoutSeconds);
  assert.match(container.execute('gatehouse', 'health'), /ready/);
  await service.stop();
  console.log('built from the Containerfile, started and stopped');
}

/** The image for the other architecture, with its own libraries, until it is ready. */
async function startEmulated(): Promise<void> {
  const unpacked = path.join(folder, 'arm64');
  unpackImage(layout, `${version}-arm64`, unpacked);
  const files = path.join(unpacked, 'rootfs');
  copyFileSync('/usr/bin/qemu-aarch64-static', path.join(files, 'qemu'));
  for (const name of ['proc', 'dev']) mkdirSync(path.join(files, name));
  const environment = ['PATH=/usr/bin:/bin', `GATEHOUSE_PORT=${await freePort()}`];
  // With these options the service does not start itself again, which the emulator cannot do without help of the kernel.
  const node = ['/qemu', `/${program}/bin/node`, '--max-semi-space-size=4'];
  const user = ['--wd=/var/lib/gatehouse', `--setgid=${owner}`, `--setuid=${owner}`];
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', `--root=${files}`];
  const serve = [...node, `/${program}/server/bin/gatehouse.js`, 'serve'];
  const command = ['env', '-i', ...environment, 'unshare', ...namespaces, ...user, ...serve];
  const service = startInTerminal(
    `unshare --mount sh -c 'mount --bind /dev "$0/dev" && exec "$@"' ${files} ${command.join(' ')}`,
    folder,
    userEnvironment(),
  );
  running.push(service);
  await service.printed(/is ready at/, emulatedStartTimeoutSeconds);
  await service.kill();
  console.log('started for arm64 in an emulator');
}
