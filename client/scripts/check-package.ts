// Proves the package as its users get it: packed, unpacked into an empty folder, and the README compiled against it and
// run with an old Node against a real service. Needs no network.
//
//   node scripts/check-package.ts [<program of the Node to run with>]

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readmeProgram } from './readme-program.ts';
import { startService } from './start-service.ts';

const client = fileURLToPath(new URL('..', import.meta.url));
const modules = path.join(client, '../node_modules');
const compiler = path.join(modules, 'typescript/bin/tsc');
const [node = 'node'] = process.argv.slice(2);

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-client-'));
try {
  build();
  unpack();
  checkManifest();
  compile();
  await run();
  console.log('The package is fit to be published.');
} finally {
  rmSync(folder, { recursive: true });
}

function build(): void {
  execFileSync(process.execPath, [path.join(client, 'scripts/build.ts')], { stdio: 'inherit' });
}

/** Into `node_modules`, as `npm install` of the packed file does. */
function unpack(): void {
  const dist = path.join(client, 'dist');
  const packed = execFileSync('npm', ['pack', dist, '--pack-destination', folder, '--silent', '--offline'], {
    encoding: 'utf8',
  });
  const target = path.join(folder, 'node_modules/@gatehouse/client');
  mkdirSync(target, { recursive: true });
  const archive = path.join(folder, packed.trim());
  execFileSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1']);
}

/** That it imports nothing else, compiling and running it in this folder will show. */
function checkManifest(): void {
  const file = path.join(folder, 'node_modules/@gatehouse/client/package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'private']) {
    if (field in manifest) throw new Error(`The package has ${field}.`);
  }
}

/** As users set it up: for Node, for a bundler and a browser, and loosely. */
function compile(): void {
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
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

function tsc(file: string, options: string[]): void {
  const args = [compiler, ...options, '--skipLibCheck', 'false', file];
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
}

async function run(): Promise<void> {
  const service = await startService(folder);
  try {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const output = await runUntilItFollows(service);
    for (const line of ['ada@example.com email_taken', 'already a member', 'changed in the meantime']) {
      if (!output.includes(line)) throw new Error(`With Node ${version}, the README did not print: ${line}`);
    }
    console.log(`With Node ${version}, the README ran to its end.`);
  } finally {
    await service.stop();
  }
}

/** Sends SIGTERM, which ends the following of events, once that has begun. */
function runUntilItFollows({ url, key }: { url: string; key: string }): Promise<string> {
  const env = { ...process.env, GATEHOUSE_URL: url, GATEHOUSE_KEY: key };
  const child = spawn(node, ['readme.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (!child.killed && output.includes('welcome, grace@example.com')) child.kill('SIGTERM');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`The README failed:\n${output}`)),
    );
  });
}
