// Compiles programs that use the installed package, with the settings of its users.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readmeFiles, readmeProgram } from './readme-program.ts';

const client = path.resolve(import.meta.dirname, '..');
const modules = path.join(client, '../node_modules');
const compiler = path.join(modules, 'typescript/bin/tsc');
/** The last one in JavaScript, which many programs use. */
const olderCompiler = path.join(client, 'node_modules/typescript/bin/tsc');

const target = ['--target', 'es2022'];
const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const forNode = ['--module', 'nodenext', '--lib', 'es2022', '--types', 'node'];
// Without the types of Node.
const forBrowser = ['--lib', 'es2022,dom', '--typeRoots', 'none'];
const withLibraries = ['--skipLibCheck', 'false'];

/** Compiles the README for Node, and once without strict checks. */
export function compileReadme(folder: string): void {
  for (const name of ['@types', 'undici-types']) link(folder, name);
  writeFileSync(path.join(folder, 'readme.ts'), readmeProgram());
  tsc(folder, ['readme.ts', ...target, ...forNode, ...withLibraries, ...strict]);
  tsc(folder, ['readme.ts', ...target, ...forNode, ...withLibraries, '--strict', 'false', '--noEmit']);
}

/**
 * Compiles imports of all entries with each resolution of the compiler, as an ES module and, where the compiler allows
 * it, as a CommonJS module. No framework is installed, because the types of the gates depend on none.
 */
export function compileImports(folder: string, entries: readonly string[]): void {
  const imports = entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`);
  const requires = entries.map((entry, index) => `export import entry${index} = require('${entry}');\n`);
  writeFileSync(path.join(folder, 'imports.mts'), imports.join(''));
  writeFileSync(path.join(folder, 'requires.cts'), requires.join(''));
  const options = [...target, ...strict, ...withLibraries, '--noEmit'];
  for (const program of [compiler, olderCompiler]) {
    tsc(folder, ['imports.mts', 'requires.cts', ...options, ...forNode], program);
    tsc(folder, ['imports.mts', ...options, ...forNode, '--module', 'node16'], program);
    const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    tsc(folder, ['imports.mts', ...options, ...forBrowser, ...bundler], program);
  }
}

/** Compiles the gates of the README with their frameworks, whose own types are not checked. */
export function compileGates(folder: string): void {
  for (const name of ['express', 'fastify', 'hono', '@hono']) link(folder, name);
  copyFileSync(path.join(client, 'scripts/next-types.d.ts'), path.join(folder, 'next-types.d.ts'));
  for (const [name, code] of readmeFiles()) {
    // A page of Next.js, which uses JSX only in its file name.
    const file = path.join('gates', name.replace(/\.tsx$/, '.ts'));
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), code);
    const options = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'];
    tsc(folder, [
      file,
      'next-types.d.ts',
      ...target,
      ...forNode,
      ...options,
      '--rootDir',
      '.',
      '--outDir',
      '.',
    ]);
  }
}

/** Adds the packages that some entries need to run. */
export function linkPeers(folder: string): void {
  for (const name of ['jose', 'standardwebhooks']) link(folder, name);
}

function link(folder: string, name: string): void {
  symlinkSync(path.join(modules, name), path.join(folder, 'node_modules', name));
}

function tsc(folder: string, options: readonly string[], program = compiler): void {
  execFileSync(process.execPath, [program, ...options], { cwd: folder, stdio: 'inherit' });
}
