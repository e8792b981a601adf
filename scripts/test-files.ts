import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * All test files by project: `browser` needs a browser or a proxy, `api` starts a server, a store or another process,
 * `unit` starts nothing. Paths are relative to the repository.
 */
export function testFiles(root: string): Record<'unit' | 'api' | 'browser', string[]> {
  const found = globSync('**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  }).sort();
  const projects = { unit: [] as string[], api: [] as string[], browser: [] as string[] };
  for (const file of found) projects[projectOf(root, file)].push(file);
  return projects;
}

function projectOf(root: string, file: string): 'unit' | 'api' | 'browser' {
  if (/^server\/test\/(dashboard|gate)\//.test(file)) return 'browser';
  return importsOf(root, file).some(startsSomething) ? 'api' : 'unit';
}

/** Imports as written; files as paths relative to the repository. */
function importsOf(root: string, file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export|\}) .*?from '([^']+)';$/gm)].map(([, name = '']) =>
    name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name,
  );
}

function startsSomething(name: string): boolean {
  return name === 'node:child_process' || name.startsWith('server/test/');
}
