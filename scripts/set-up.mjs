// Prepares a fresh clone: installs the locked packages, including the locked Node that runs everything else, and
// builds the service and the pages of the dashboard. Plain JavaScript, because the machine's own Node may be as old as
// 20.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dashboard, isBuilt, service, vite } from './builds.mjs';
import { showProgress } from './progress.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const modules = path.join(root, 'node_modules');
const lockFile = path.join(root, 'package-lock.json');
const stampFile = path.join(modules, '.gatehouse-set-up');
const nodeNote = path.join(modules, '.gatehouse-node');
const lockFolder = path.join(root, '.set-up-running');
const oldestNode = 24;

/** A set-up that cannot continue. The message tells the user what to do. */
export class SetUpError extends Error {}

/** Messages go to the standard error: the standard output belongs to the program to run. */
const say = (text) => console.error(text);

/**
 * Installs missing packages, builds what is stale, and returns the path of the Node to run Gatehouse with.
 * @param forDevelopment whether to install the packages that only tests, checks and benchmarks need too
 */
export async function setUp({ forDevelopment = false } = {}) {
  if (!isInstalled(forDevelopment)) {
    await withLock(async () => {
      if (!isInstalled(forDevelopment)) await install(forDevelopment);
    });
  }
  const node = findNode();
  for (const build of [dashboard, service]) {
    if (isBuilt(root, build)) continue;
    await withLock(async () => {
      if (!isBuilt(root, build)) await runBuild(build, node);
    });
  }
  noteNode(node);
  return node;
}

/** Like `setUp`; on failure it prints the reason and ends this process. */
export function setUpOrExit(options) {
  return setUp(options).catch((error) => {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
    process.exit(1);
  });
}

/**
 * Stores the path for `gatehouse`, which then does not have to run this script. The path is relative, so the folder
 * can be moved.
 */
function noteNode(node) {
  const text = `${node.startsWith(modules) ? path.relative(root, node) : node}\n`;
  const isNoted =
    existsSync(nodeNote) &&
    statSync(nodeNote).mtimeMs > statSync(lockFile).mtimeMs &&
    readFileSync(nodeNote, 'utf8') === text;
  if (!isNoted) keep(nodeNote, text);
}

/** A user without write access to this folder, such as a service, repeats the check each time. */
function keep(file, text) {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

/** Whether the packages match the lock file, by the stamp of an earlier run or by npm's own record. */
function isInstalled(forDevelopment) {
  const { name, program } = lockedNode();
  if (name && !existsSync(program)) return false;
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const stamps = { all: `${lock} all`, some: lock };
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (stamp === stamps.all || (stamp === stamps.some && !forDevelopment)) return true;
  if (recordMatchesLock(true)) keep(stampFile, stamps.all);
  else if (!forDevelopment && recordMatchesLock(false)) keep(stampFile, stamps.some);
  else return false;
  return true;
}

/**
 * npm writes its record after an installation, but also for `--package-lock-only`, so the installed packages are
 * checked too.
 */
function recordMatchesLock(forDevelopment) {
  const recordFile = path.join(modules, '.package-lock.json');
  if (!existsSync(recordFile)) return false;
  const recorded = JSON.parse(readFileSync(recordFile, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return Object.entries(locked)
    .filter(([place]) => place.startsWith('node_modules/'))
    .every(([place, { optional, version, integrity, link, resolved, ...entry }]) => {
      const manifest = path.join(root, place, 'package.json');
      // A link has the properties of its target.
      const { dev, devOptional } = link ? locked[resolved] : entry;
      if (!existsSync(manifest)) return optional || (!forDevelopment && (dev || devOptional));
      if (version === undefined) return true;
      const installed = JSON.parse(readFileSync(manifest, 'utf8'));
      return installed.version === version && recorded[place]?.integrity === integrity;
    });
}

async function install(forDevelopment) {
  const purpose = forDevelopment ? 'with those for tests and checks' : 'without those for tests and checks';
  say(`Installing the locked packages (npm ci), ${purpose}. This takes up to a minute and is needed once.`);
  rmSync(stampFile, { force: true });
  const done = showProgress('Installing packages', countPackages(forDevelopment));
  const { code, output } = await npm(
    'ci',
    forDevelopment ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--ignore-scripts',
    '--loglevel=error',
  );
  done(code === 0 ? 'finished' : 'failed');
  if (code !== 0) throw new SetUpError(`${output}\nnpm ci failed (see above), so Gatehouse is not set up.`);
  if (!isInstalled(forDevelopment))
    throw new SetUpError('npm ci did not install the packages of package-lock.json.');
}

/** Packages are unpacked one by one, each with its package.json. Packages of other platforms are not installed. */
function countPackages(forDevelopment) {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const ourLibc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const fits = (wanted, value) => {
    const list = [wanted ?? []].flat();
    const named = list.filter((each) => !each.startsWith('!'));
    return !list.includes(`!${value}`) && (named.length === 0 || named.includes(value));
  };
  const manifests = Object.entries(packages)
    .filter(([place, { link }]) => place.startsWith('node_modules/') && !link)
    .filter(
      ([, { os, cpu, libc }]) => fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, ourLibc),
    )
    .filter(([, { dev }]) => forDevelopment || !dev)
    .map(([place]) => path.join(root, place, 'package.json'));
  const total = manifests.length;
  return () => (total === 0 ? null : { done: manifests.filter((file) => existsSync(file)).length, total });
}

async function runBuild(build, node) {
  const { cwd, args, keep: keepBuild } = vite(root, build);
  // Always a production build: development pages are twice as large.
  const env = { ...process.env, NODE_ENV: 'production' };
  const done = showProgress(`Building ${build.name}`, () => null);
  const { code, output } = await ended(spawn(node, args, { cwd, env }));
  done(code === 0 ? 'finished' : 'failed');
  if (code !== 0) throw new SetUpError(`${output}\nBuilding ${build.name} has failed (see above).`);
  keepBuild();
}

function npm(...args) {
  const ours = process.env.npm_execpath ?? '';
  return ended(
    ours.endsWith('npm-cli.js')
      ? spawn(process.env.npm_node_execpath ?? process.execPath, [ours, ...args], { cwd: root })
      : spawn('npm', args, { cwd: root }),
  );
}

/** The exit code and the output of a program. */
async function ended(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  child.stdin?.end();
  const stopPassing = passSignals(child);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)).catch(
    (error) => {
      output += error.code === 'ENOENT' ? `${child.spawnfile} is missing: install it.` : error.message;
      return 1;
    },
  );
  stopPassing();
  return { code, output: output.trim() };
}

/**
 * Only one set-up runs at a time, because a folder can be created only once. A dead set-up leaves its folder behind;
 * the next one removes it.
 */
export async function withLock(work) {
  for (let waited = false; !acquireLock(); waited = true) {
    if (!waited) say('Another set-up of this folder is running; waiting for it.');
    await sleep(200);
  }
  try {
    await work();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

function acquireLock() {
  const ownerFile = path.join(lockFolder, 'pid');
  try {
    mkdirSync(lockFolder);
    writeFileSync(ownerFile, String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const age = Date.now() - statSync(lockFolder).mtimeMs;
    const owner = existsSync(ownerFile) ? Number(readFileSync(ownerFile, 'utf8')) : 0;
    if (owner ? isAlive(owner) : age < 5_000) return false;
    const aside = `${lockFolder}.${process.pid}`;
    renameSync(lockFolder, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch (error) {
    // The owner of the lock, or another waiting process, was faster.
    if (error.code !== 'ENOENT') throw error;
  }
  return acquireLock();
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** For each platform the locked Node is a separate package without an install script. */
function lockedNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const platform = `${process.platform}-${process.arch}`;
  const name = [`node-${platform}`, `node-bin-${platform}`].find((each) => each in optionalDependencies);
  return { name, program: path.join(modules, name ?? `node-${platform}`, 'bin/node') };
}

function findNode() {
  const { name, program } = lockedNode();
  const { status, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status === 0) return program;

  if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
    say(`The locked Node does not run on this machine; using its own, ${process.version}.`);
    return process.execPath;
  }
  if (/libatomic\.so/.test(stderr ?? '')) {
    throw new SetUpError(
      'Node needs the library libatomic, which is missing on this machine. Install it and run the command again:' +
        ' libatomic1 on Debian and Ubuntu (apt-get install libatomic1), libatomic on Fedora, RHEL and Alpine.',
    );
  }
  const reason = name ? stderr?.trim().split('\n')[0] || error?.message : 'there is none for its platform';
  throw new SetUpError(
    `The locked Node does not run on this machine (${reason}).` +
      ` Install Node ${oldestNode} or later and run the command again.`,
  );
}

/**
 * Runs a program of this repository on the locked Node in place of this process: it receives the signals, and its
 * exit code is used.
 */
export async function runOnLockedNode(script, args, options) {
  const node = await setUpOrExit(options);
  // Programs that it starts by the name `node` use the same Node.
  const PATH = [path.dirname(node), process.env.PATH].join(path.delimiter);
  const child = spawn(node, [path.join(root, script), ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH },
  });
  const stopPassing = passSignals(child);
  child.on('exit', (code, signal) => {
    stopPassing();
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
}

let endsWithParent = process.env.npm_lifecycle_event !== undefined;

/** Ends the child when the parent process ends, as is the default when npm is the parent. */
export function endWithParent() {
  endsWithParent = true;
}

/**
 * Until the returned function is called, signals are forwarded to the child, which also ends when the parent npm
 * ends. Each signal is forwarded once, because npm forwards a signal that the terminal or service manager has already
 * sent to all processes.
 */
function passSignals(child) {
  const parent = process.ppid;
  const passed = new Set();
  const pass = (signal) => {
    if (!passed.has(signal)) child.kill(signal);
    passed.add(signal);
  };
  // A terminal sends Ctrl-C to the child directly.
  const ignore = () => {};
  const handlers = {
    SIGTERM: pass,
    SIGINT: process.stdin.isTTY ? ignore : pass,
    SIGHUP: process.stdin.isTTY ? ignore : pass,
  };
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler);
  const watch = setInterval(() => {
    if (endsWithParent && process.ppid !== parent) pass('SIGTERM');
  }, 500);
  return () => {
    clearInterval(watch);
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler);
  };
}
