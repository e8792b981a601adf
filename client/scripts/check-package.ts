// Checks the package as its users get it: builds and installs it as the README describes, by path and as a packed file,
// compiles the README against it, and runs it with an old Node against a real service. Needs no network.
//
//   node scripts/check-package.ts [<program of the Node to run with>]

import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readmeFiles, readmeInstallation, readmeProgram } from './readme-program.ts';
import { startService } from './start-service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = fileURLToPath(new URL('..', import.meta.url));
const modules = path.join(client, '../node_modules');
const compiler = path.join(modules, 'typescript/bin/tsc');
const [node = 'node'] = process.argv.slice(2);

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-client-'));
const [building, byPath, byFile] = readmeInstallation();
try {
  build();
  await installByPath();
  install(byFile!, folder);
  checkManifest();
  compile();
  compileGates();
  await run();
  console.log('The package is ready to be published.');
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the commands of the README, except the installation of packages, which are already installed. */
function build(): void {
  const lines = building!.replace('npm install\n', '');
  paste(lines, root);
}

/** Checks that a program can import the package after an installation by path. */
async function installByPath(): Promise<void> {
  const program = path.join(folder, 'by-path');
  mkdirSync(program);
  install(byPath!, program);
  const code = "import { Gatehouse } from '@gatehouse/client'; console.log(typeof Gatehouse);";
  const printed = execFileSync(node, ['--input-type=module', '--eval', code], {
    cwd: program,
    encoding: 'utf8',
  });
  if (printed !== 'function\n') throw new Error(`Installed by its path, the package gave ${printed}.`);
  rmSync(program, { recursive: true });
}

function install(lines: string, cwd: string): void {
  writeFileSync(path.join(cwd, 'package.json'), '{ "type": "module" }');
  paste(lines, cwd);
}

function paste(lines: string, cwd: string): void {
  const env = {
    ...process.env,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  execFileSync('sh', ['-e', '-c', lines.replaceAll('/path/to/gatehouse', root.replace(/\/$/, ''))], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Compiling and running it in this folder shows that it imports no other package. */
function checkManifest(): void {
  const file = path.join(folder, 'node_modules/@gatehouse/client/package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  for (const field of ['dependencies', 'optionalDependencies', 'private']) {
    if (field in manifest) throw new Error(`The package has ${field}.`);
  }
  // Only the entries for tokens and for webhooks need them.
  const peers = Object.keys(manifest.peerDependencies);
  const areOptional = peers.every((name) => manifest.peerDependenciesMeta[name].optional === true);
  if (peers.join() !== 'jose,standardwebhooks' || !areOptional)
    throw new Error(`The package has the peer dependencies ${peers.join()}.`);
}

/** With the typical settings of users: for Node, for a bundler and a browser, and without strict checks. */
function compile(): void {
  writeFileSync(path.join(folder, 'readme.ts'), readmeProgram());
  writeFileSync(
    path.join(folder, 'browser.ts'),
    "export { Gatehouse, type Member } from '@gatehouse/client';\n",
  );
  symlinkSync(path.join(modules, '@types'), path.join(folder, 'node_modules/@types'));
  symlinkSync(path.join(modules, 'undici-types'), path.join(folder, 'node_modules/undici-types'));
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const forNode = ['--module', 'nodenext', '--lib', 'es2022', '--types', 'node'];
  const forBundler = [
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2022,dom',
    '--noEmit',
  ];
  tsc('readme.ts', ['--target', 'es2022', ...strict, ...forNode]);
  tsc('browser.ts', ['--target', 'es2022', ...strict, ...forBundler, '--types', '']);
  tsc('readme.ts', ['--target', 'es2022', ...forNode, '--noEmit', '--strict', 'false']);
}

/** First without any framework installed, because the types of the gates depend on none of them. */
function compileGates(): void {
  const names = ['express', 'fastify', 'hono', 'next', 'edge', 'identity', 'webhook'];
  const imports = names.map((name) => `export * as ${name} from '@gatehouse/client/${name}';\n`);
  writeFileSync(path.join(folder, 'gates.ts'), imports.join(''));
  const options = [
    '--target',
    'es2022',
    '--strict',
    '--module',
    'nodenext',
    '--lib',
    'es2022',
    '--types',
    'node',
  ];
  tsc('gates.ts', options);
  for (const name of ['express', 'fastify', 'hono', '@hono']) {
    symlinkSync(path.join(modules, name), path.join(folder, 'node_modules', name));
  }
  copyFileSync(path.join(client, 'scripts/next-types.d.ts'), path.join(folder, 'next-types.d.ts'));
  const gates = path.join(folder, 'gates');
  for (const [name, code] of readmeFiles()) {
    // A page of Next.js, which uses JSX only in its file name.
    const file = path.join(gates, name.replace(/\.tsx$/, '.ts'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
    const commonOptions = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
      '--rootDir',
      '.',
      '--outDir',
      '.',
    ];
    tscSkippingLibraries([path.relative(folder, file), 'next-types.d.ts'], [...options, ...commonOptions]);
  }
}

function tsc(file: string, options: string[]): void {
  tscSkippingLibraries([file], [...options, '--skipLibCheck', 'false']);
}

/** Skips the types of other packages. */
function tscSkippingLibraries(files: string[], options: string[]): void {
  execFileSync(process.execPath, [compiler, ...options, ...files], { cwd: folder, stdio: 'inherit' });
}

async function run(): Promise<void> {
  const service = await startService(folder);
  try {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const output = await runUntilItFollows(service);
    for (const line of ['katherine@example.com email_taken', 'already a member', 'changed in the meantime']) {
      if (!output.includes(line)) throw new Error(`With Node ${version}, the README did not print: ${line}`);
    }
    console.log(`With Node ${version}, the README ran to its end.`);
    for (const name of ['express', 'fastify', 'hono']) await checkGate(name, service);
    console.log(`With Node ${version}, the gates of the README stand.`);
  } finally {
    await service.stop();
  }
}

/** Sends SIGTERM after the program has started to follow events, which ends the loop. */
function runUntilItFollows({ url, key }: { url: string; key: string }): Promise<string> {
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
async function checkGate(name: string, { url, key }: { url: string; key: string }): Promise<void> {
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
