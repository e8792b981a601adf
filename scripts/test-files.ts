import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Test files that measure time with full effort, which others would take from them. */
const measuringFiles = ['server/test/hostile/lists.test.ts'];

type TestProject = 'unit' | 'api' | 'browser' | 'alone';

/**
 * All test files by project: `browser` needs a browser or a proxy, `api` starts a server, a store or another process,
 * `unit` starts nothing, and with full effort `alone` has those that run when the others have ended. Paths are relative
 * to the repository.
 */
export function testFiles(root: string, isFullEffort = false): Record<TestProject, string[]> {
  const found = globSync('**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
  }).sort();
  const projects: Record<TestProject, string[]> = { unit: [], api: [], browser: [], alone: [] };
  for (const file of found) {
    const isAlone = isFullEffort && measuringFiles.includes(file);
    projects[isAlone ? 'alone' : projectOf(root, file)].push(file);
  }
  return projects;
}

function projectOf(root: string, file: string): TestProject {
  if (/^server\/test\/(dashboard|gate|passkeys)\//.test(file) || /-in-a-browser\.test\.ts$/.test(file))
    return 'browser';
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
