// Builds the package and packs it into a file. Two runs give the same bytes: npm sets one time for all files, and this
// script their modes.
//
//   npm run pack --workspace client -- --out <folder>

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from './build-package.ts';

const { out } = parseArgs({ options: { out: { type: 'string', default: '.' } } }).values;
// npm runs scripts in the folder of the workspace, and names the folder in which it was started.
const target = path.resolve(process.env.INIT_CWD ?? '.', out);
const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-package-'));
try {
  await buildPackage(folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  console.log(`Created ${path.join(target, pack())}.`);
} finally {
  rmSync(folder, { recursive: true });
}

function pack(): string {
  mkdirSync(target, { recursive: true });
  const options = ['--pack-destination', target, '--ignore-scripts', '--silent'];
  return execFileSync('npm', ['pack', folder, ...options], { encoding: 'utf8' }).trim();
}
