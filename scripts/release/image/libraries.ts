import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { type Architecture, tripletOf } from '../locked-node.ts';

/**
 * The libraries that a program needs, and those that they need, with the symbolic links to them.
 * @param folders what packages contain
 * @returns their paths in the folders
 * @throws if one is in none of the folders
 */
export function librariesOf(
  program: string,
  folders: readonly string[],
  architecture: Architecture,
): string[] {
  const byName = Map.groupBy(folders.flatMap(librariesIn), (file) => path.basename(file));
  const found = new Set<string>();
  const needed = new Set(neededBy(program, architecture));
  for (const name of needed) {
    const files = byName.get(name);
    if (files === undefined) throw new Error(`${name} is in none of the packages of Debian that are locked.`);
    for (const file of files) {
      found.add(file);
      const next = lstatSync(file).isSymbolicLink()
        ? [path.basename(readlinkSync(file))]
        : neededBy(file, architecture);
      for (const each of next) needed.add(each);
    }
  }
  return [...found];
}

/** By its header, which also works for a program of another architecture. */
function neededBy(file: string, architecture: Architecture): string[] {
  const header = execFileSync(`${tripletOf(architecture)}-readelf`, ['--dynamic', file], {
    encoding: 'utf8',
  });
  return [...header.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name!);
}

function librariesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)lib\w*\/(?:.*\/)?[^/]+\.so(?:\.[\d.]+)?$/.test(name))
    .map((name) => path.join(folder, name));
}
