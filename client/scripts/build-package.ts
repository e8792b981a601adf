// The published package: plain JavaScript with the few packages that it uses built in, and types that need no other
// package.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import rootManifest from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };

const client = path.resolve(import.meta.dirname, '..');
const compiler = path.join(client, '../node_modules/typescript/bin/tsc');
const entries = publishedEntries();

/** Builds the package in an empty folder. */
export async function buildPackage(folder: string): Promise<void> {
  if (!existsSync(compiler)) {
    console.error(
      'The compiler is not installed. Run npm install in the folder of the repository, and build again.',
    );
    process.exit(1);
  }
  const project = path.join(client, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '--project', project, '--outDir', folder], { stdio: 'inherit' });
  keepPublicTypes(folder);
  await bundle(folder);
  writeManifest(folder);
  for (const file of ['README.md', '../LICENSE']) {
    copyFileSync(path.join(client, file), path.join(folder, path.basename(file)));
  }
}

/** Writes a file of JavaScript for each entry point, and the notices of the packages that are built in. */
async function bundle(folder: string): Promise<void> {
  const names = Object.values(entries).map((entry) => entry.default.slice('./'.length, -'.js'.length));
  await build({
    root: client,
    configFile: false,
    logLevel: 'warn',
    build: {
      target: 'es2022',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      license: { fileName: 'licenses.md' },
      lib: { entry: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])), formats: ['es'] },
      rolldownOptions: {
        external: [/^node:/, ...Object.keys(manifest.peerDependencies)],
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}

/** Keeps only the declarations that the entry points use, and makes them import each other as `.js` files. */
function keepPublicTypes(folder: string): void {
  const surface = new Map<string, string>();
  const visit = (file: string) => {
    if (surface.has(file)) return;
    const text = readFileSync(file, 'utf8').replaceAll(/from '(\.[\w./-]+)\.ts'/g, "from '$1.js'");
    surface.set(file, text);
    for (const [, imported] of text.matchAll(/from '(\.[\w./-]+)\.js'/g)) {
      visit(path.join(path.dirname(file), `${imported}.d.ts`));
    }
  };
  for (const { types } of Object.values(entries)) visit(path.join(folder, types));
  for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    const file = path.join(folder, name);
    if (!name.endsWith('.d.ts')) continue;
    const text = surface.get(file);
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
  }
}

/** The entry points by name: the sources of the workspace manifest, mapped to the built files. */
function publishedEntries(): Record<string, { types: string; default: string }> {
  const sources = Object.entries(manifest.exports).filter(([name]) => name !== './package.json');
  return Object.fromEntries(
    sources.map(([name, source]) => {
      const file = (source as { default: string }).default.replace('./src/', './').replace(/\.ts$/, '');
      return [name, { types: `${file}.d.ts`, default: `${file}.js` }];
    }),
  );
}

/** Writes the manifest of the package: the manifest of the workspace is private and refers to the sources. */
function writeManifest(folder: string): void {
  const { name, description, keywords, license, type, sideEffects, engines } = manifest;
  const { version } = rootManifest;
  const { peerDependencies, peerDependenciesMeta } = manifest;
  const exports = { ...entries, './package.json': './package.json' };
  const about = { name, version, description, keywords, license, type, sideEffects, engines };
  const content = {
    ...about,
    main: './index.js',
    types: './index.d.ts',
    exports,
    files: ['**/*.js', '**/*.d.ts', 'licenses.md'],
    peerDependencies,
    peerDependenciesMeta,
    // A package with a scope is otherwise private.
    publishConfig: { access: 'public' },
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}
