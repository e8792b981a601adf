// Builds the service and the pages of the dashboard from their sources, and detects changes of the sources. Plain
// JavaScript, because the machine's own Node may be as old as 20.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const used = ['client', 'contract', 'member-lists'];
const shared = [
  ...used.flatMap((name) => [`${name}/src`, `${name}/package.json`]),
  'package.json',
  'package-lock.json',
];

/** What Vite builds in `folder`. `sources` are relative to the repository. */
export const service = {
  name: 'the service',
  folder: 'server',
  sources: ['server/src', 'server/vite.config.ts', 'server/package.json', ...shared],
};
export const dashboard = { name: 'the dashboard', folder: 'dashboard', sources: ['dashboard', ...shared] };

const notSources = /^(dist|node_modules|test)(\/|$)|\.test\.tsx?$/;

/** Two notes about the sources of a build: a hash of their content, and one of their names, sizes and times. */
const contentNote = '.sources';
const timesNote = '.source-times';

const distOf = (root, { folder }) => path.join(root, folder, 'dist');

/** Whether a build is made of the current sources. Takes some milliseconds, and some ten after files were copied. */
export function isBuilt(root, build) {
  // A release contains what is built without its sources.
  if (!existsSync(path.join(root, build.folder, 'vite.config.ts'))) return true;
  const dist = distOf(root, build);
  if (!existsSync(path.join(dist, contentNote))) return false;
  const times = hashTimes(root, build);
  const noted = path.join(dist, timesNote);
  if (existsSync(noted) && readFileSync(noted, 'utf8') === times) return true;
  if (readFileSync(path.join(dist, contentNote), 'utf8') !== hashContent(root, build)) return false;
  try {
    writeFileSync(noted, times);
  } catch (error) {
    // A user without write access to this folder, such as a service, compares the content each time.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
  return true;
}

/**
 * How to build: `args` for Node, and `keep` to call after success. Until then the old build stays. Sources that change
 * meanwhile make the new build stale.
 */
export function vite(root, build) {
  const content = hashContent(root, build);
  const place = path.join(root, `node_modules/.gatehouse-${build.folder}`);
  const program = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [program, 'build', '--outDir', place, '--emptyOutDir', '--logLevel', 'warn'];
  const keep = () => {
    writeFileSync(path.join(place, contentNote), content);
    replace(distOf(root, build), place);
  };
  return { cwd: path.join(root, build.folder), args, keep };
}

function replace(dist, place) {
  const before = `${place}-before`;
  rmSync(before, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, before);
  renameSync(place, dist);
  rmSync(before, { recursive: true, force: true });
}

function hashContent(root, build) {
  const hash = createHash('sha256');
  for (const file of filesOf(root, build)) {
    const content = readFileSync(file);
    hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function hashTimes(root, build) {
  const hash = createHash('sha256');
  for (const file of filesOf(root, build)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesOf(root, { sources }) {
  return sources.flatMap((source) => filesBelow(path.join(root, source)));
}

function filesBelow(source) {
  if (!existsSync(source)) return [];
  if (path.extname(source) !== '') return [source];
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !notSources.test(path.relative(source, file)))
    .sort();
}
