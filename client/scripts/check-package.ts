// Checks the package as its users get it: packs and installs it as the README describes, checks its rules and types,
// compiles the README against it, and runs it with an old Node and with the locked one against a real service. Needs no
// network.
//
//   node scripts/check-package.ts [<program of the old Node>]

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import rootManifest from '../../package.json' with { type: 'json' };
import { checkInstalledFiles, checkPackedFile } from './package-rules.ts';
import { compileGates, compileImports, compileReadme, linkPeers } from './package-types.ts';
import { readmeInstallation } from './readme-program.ts';
import { type Service, startService } from './start-service.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-client-'));
const installed = path.join(folder, 'node_modules/@gatehouse/client');
const fileName = `gatehouse-client-${rootManifest.version}.tgz`;
const [packing, installing] = readmeInstallation();
try {
  const file = packTwice();
  await checkPackedFile(file);
  install(path.dirname(file));
  checkInstalledFiles(installed);
  const entries = checkManifest();
  compileReadme(folder);
  compileImports(folder, entries);
  compileGates(folder);
  linkPeers(folder);
  for (const node of new Set([process.argv[2] ?? 'node', process.execPath])) {
    load(node, entries);
    await run(node);
  }
  console.log('The package is ready to be published.');
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the commands of the README, except the installation of packages, which are already installed. */
function packTwice(): string {
  const [file, other] = ['first', 'second'].map((name) => {
    const out = path.join(folder, name);
    paste(packing!.replace('npm install\n', '').replace('--out dist', `--out ${out}`), root);
    return path.join(out, fileName);
  });
  if (!readFileSync(file!).equals(readFileSync(other!))) throw new Error('Two builds of the package differ.');
  return file!;
}

function install(out: string): void {
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  paste(installing!.replace('/path/to/gatehouse/dist', out), folder);
}

function paste(lines: string, cwd: string): void {
  const env = {
    ...process.env,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  execFileSync('sh', ['-e', '-c', lines.replaceAll('/path/to/gatehouse', root)], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns the names under which programs import the package. */
function checkManifest(): string[] {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  for (const field of ['dependencies', 'optionalDependencies', 'private']) {
    if (field in manifest) throw new Error(`The package has ${field}.`);
  }
  // Only the entries for tokens and for webhooks need them.
  const peers = Object.keys(manifest.peerDependencies);
  const areOptional = peers.every((name) => manifest.peerDependenciesMeta[name].optional === true);
  if (peers.join() !== 'jose,standardwebhooks' || !areOptional)
    throw new Error(`The package has the peer dependencies ${peers.join()}.`);
  const names = Object.keys(manifest.exports).filter((name) => name !== './package.json');
  return names.map((name) => path.posix.join(manifest.name, name));
}

/** Loads each entry with `import` and with `require`, which give the same module. */
function load(node: string, entries: readonly string[]): void {
  const code = `
    const entries = ${JSON.stringify(entries)};
    Promise.all(entries.map((entry) => import(entry))).then((modules) => {
      const isSame = entries.every((entry, index) => require(entry) === modules[index]);
      console.log(isSame, modules.every((module) => Object.keys(module).length > 0));
    });`;
  writeFileSync(path.join(folder, 'load.cjs'), code);
  const printed = execFileSync(node, ['load.cjs'], { cwd: folder, encoding: 'utf8' });
  if (printed !== 'true true\n') throw new Error(`With import and require, ${node} printed ${printed}.`);
}

async function run(node: string): Promise<void> {
  const service = await startService(mkdtempSync(path.join(folder, 'service-')));
  try {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const output = await runUntilItFollows(node, service);
    for (const line of ['katherine@example.com email_taken', 'already a member', 'changed in the meantime']) {
      if (!output.includes(line)) throw new Error(`With Node ${version}, the README did not print: ${line}`);
    }
    console.log(`With Node ${version}, the README ran to its end.`);
    for (const name of ['express', 'fastify', 'hono']) await checkGate(node, name, service);
    console.log(`With Node ${version}, the gates of the README stand.`);
  } finally {
    await service.stop();
  }
}

/** Sends SIGTERM after the program has started to follow events, which ends the loop. */
function runUntilItFollows(node: string, { url, key }: Service): Promise<string> {
  const env = { ...process.env, GATEHOUSE_URL: url, GATEHOUSE_KEY: key };
  const child = spawn(node, ['readme.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
    if (!child.killed && output.includes('welcome, dorothy@example.com')) child.kill('SIGTERM');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`The README failed:\n${output}`)),
    );
  });
}

/** Runs the example of a gate until it has redirected an anonymous visitor to the login page. */
async function checkGate(node: string, name: string, { url, key }: Service): Promise<void> {
  const port = await freePort();
  const env = { ...process.env, GATEHOUSE_URL: url, GATEHOUSE_KEY: key, PORT: String(port) };
  const child = spawn(node, [`gates/${name}.js`], { cwd: folder, env, stdio: 'inherit' });
  try {
    const response = await untilItListens(`http://localhost:${port}/courses`);
    const login = 'https://academy.example.com/_gatehouse/login?next=%2Fcourses';
    if (response.statusCode !== 302 || response.headers.location !== login) {
      throw new Error(`The gate of ${name} answered ${response.statusCode}:\n${await text(response)}`);
    }
  } finally {
    child.kill();
  }
}

async function untilItListens(url: string): Promise<IncomingMessage> {
  for (let triesLeft = 100; ; triesLeft--) {
    try {
      return await openPage(url);
    } catch (error) {
      if (triesLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Opens a page as a browser does. `fetch` says itself that it is a script. */
function openPage(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } }, resolve).on('error', reject);
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
