// Builds the package and packs it into a file. Two runs give the same bytes: npm sets one time for all files, and this
// script their modes.
//
//   npm run pack --workspace client -- --out <folder>

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { out } = parseArgs({ options: { out: { type: 'string', default: '.' } } }).values;
// npm runs scripts in the folder of the workspace, and names the folder in which it was started.
const target = path.resolve(process.env.INIT_CWD ?? '.', out);
const dist = path.join(import.meta.dirname, '../dist');

execFileSync(process.execPath, [path.join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}
mkdirSync(target, { recursive: true });
const packed = execFileSync(
  'npm',
  ['pack', dist, '--pack-destination', target, '--ignore-scripts', '--silent'],
  {
    encoding: 'utf8',
  },
);
console.log(`Created ${path.join(target, packed.trim())}.`);
