// Makes `dist`, which is the package as it is published: plain JavaScript, and types that need no other package.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { writeTypes } from './write-types.ts';

const client = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(client, 'dist');
const compiler = path.join(client, '../node_modules/typescript/bin/tsc');

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '--project', path.join(client, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
writeTypes(path.join(dist, 'types.d.ts'));
keepSurfaceTypes();
writeManifest();
for (const file of ['README.md', '../LICENSE']) {
  const source = path.join(client, file);
  if (existsSync(source)) copyFileSync(source, path.join(dist, path.basename(file)));
}

/** Keeps the declarations that the surface leads to, and makes them lead to each other as JavaScript does. */
function keepSurfaceTypes(): void {
  const surface = new Map<string, string>();
  const visit = (name: string) => {
    if (surface.has(name)) return;
    const text = readFileSync(path.join(dist, `${name}.d.ts`), 'utf8').replaceAll(
      /from '\.\/([\w-]+)\.ts'/g,
      "from './$1.js'",
    );
    surface.set(name, text);
    for (const [, imported] of text.matchAll(/from '\.\/([\w-]+)\.js'/g)) visit(imported!);
  };
  visit('index');
  for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
    const text = surface.get(file.slice(0, -'.d.ts'.length));
    if (text === undefined) rmSync(path.join(dist, file));
    else writeFileSync(path.join(dist, file), text);
  }
}

/** The workspace's own manifest leads to the sources and is private. */
function writeManifest(): void {
  const { name, version, description, keywords, license, type, sideEffects, engines } = manifest;
  const exports = {
    '.': { types: './index.d.ts', default: './index.js' },
    './package.json': './package.json',
  };
  const about = { name, version, description, keywords, license, type, sideEffects, engines };
  const content = { ...about, main: './index.js', types: './index.d.ts', exports };
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}
