import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const contributing = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The recipes whose steps a commit of the history shows, and its subject. */
const recipes = [
  ['Adding a field', 'Show how a field is added'],
  ['Adding a resource', 'Show how a resource is added'],
  ['Adding a connection', 'Show how a connection is added'],
  ['Adding a login method', 'Show how a login method is added'],
] as const;

// A copy of the repository may have been made without its history.
const isComplete = tryGit('rev-parse', '--is-shallow-repository') === 'false';

test.each(recipes)('"%s" names its example, and every file that the example touches', (title, subject) => {
  const recipe = sectionOf(title);
  expect(recipe).toContain(`git show ':/^${subject}'`);
  const commit = exampleOf(subject);
  if (commit === undefined) return;
  const patterns = pathsIn(recipe);
  const touched = namesOf('show', '--format=', commit);
  // Files that have become part of others since.
  const gone = namesOf('diff', '--diff-filter=D', `${commit}~1`, 'HEAD');
  const present = touched.filter((file) => !gone.includes(file));
  expect(present.filter((file) => !patterns.some((pattern) => path.matchesGlob(file, pattern)))).toEqual([]);
});

test.each(recipes)('the example of "%s" is taken out again by the next commit', (_, subject) => {
  const commit = exampleOf(subject);
  if (commit === undefined) return;
  const [next] = git('log', '--reverse', '--ancestry-path', '--format=%H', `${commit}..HEAD`).split('\n');
  expect(git('rev-parse', `${next}^{tree}`)).toBe(git('rev-parse', `${commit}~1^{tree}`));
});

/** The commit with a subject; undefined only where the history is not complete. */
function exampleOf(subject: string): string | undefined {
  if (!isComplete) return undefined;
  const commit = git('log', '-1', '--format=%H', `--grep=^${subject}$`, 'HEAD');
  if (commit === '') throw new Error(`The history has no commit "${subject}".`);
  return commit;
}

function namesOf(command: string, ...args: string[]): string[] {
  return git(command, '--name-only', '--no-renames', ...args).split('\n');
}

function tryGit(...args: string[]): string | undefined {
  try {
    return git(...args);
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function sectionOf(title: string): string {
  return contributing.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
}

/** What `npm run openapi` writes, for recipes that say that it is run. */
const written = ['contract/*openapi.json', 'client/src/api/operations.ts'];

/** The paths that a text quotes, as globs: `<language>` stands for any name, and a folder for all of its files. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, each]) => each!);
  const named = quoted
    .filter((each) => each.includes('/') || each.includes('.'))
    .map((each) => each.replaceAll(/<[^>]+>/g, '*').replace(/\/$/, '/**'));
  return text.includes('`npm run openapi`') ? [...named, ...written] : named;
}
