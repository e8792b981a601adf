// Builds the pages of the dashboard from their sources, and detects changes of the sources by their hash. Plain
// JavaScript, because the machine's own Node may be as old as 20.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The sources of the pages; the client, the contract and the member lists are part of them. */
const sources = ['dashboard', 'client/src', 'contract/src', 'member-lists/src', 'package-lock.json'];
const notSources = /^(dist|node_modules|test)(\/|$)|\.test\.tsx?$/;

const pagesOf = (root) => path.join(root, 'dashboard/dist');
const stampOf = (pages) => path.join(pages, '.sources');

/** Whether the pages are built from the current sources. Takes some ten milliseconds. */
export function arePagesBuilt(root) {
  // A release contains the pages without their sources.
  if (!existsSync(path.join(root, 'dashboard/src'))) return true;
  const stamp = stampOf(pagesOf(root));
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(root);
}

/**
 * How to build the pages: `args` for Node, and `keep` to call after success. Until then the old pages stay. Sources
 * that change during the build make the new pages stale.
 */
export function pagesBuild(root) {
  const sourcesHash = hashSources(root);
  const place = path.join(root, 'node_modules/.gatehouse-pages');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--outDir', place, '--emptyOutDir', '--logLevel', 'warn'];
  return { cwd: path.join(root, 'dashboard'), args, keep: () => keep(root, place, sourcesHash) };
}

function keep(root, place, sourcesHash) {
  const pages = pagesOf(root);
  const before = `${place}-before`;
  writeFileSync(stampOf(place), sourcesHash);
  rmSync(before, { recursive: true, force: true });
  if (existsSync(pages)) renameSync(pages, before);
  renameSync(place, pages);
  rmSync(before, { recursive: true, force: true });
}

function hashSources(root) {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesOf(path.join(root, source))) {
      const content = readFileSync(file);
      hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesOf(source) {
  if (!existsSync(source)) return [];
  if (path.extname(source) !== '') return [source];
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !notSources.test(path.relative(source, file)))
    .sort();
}
