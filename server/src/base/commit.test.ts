import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { gatehouse, temporaryFolder } from '../../test/command-line.ts';
import { findCommit } from './commit.ts';
import { installation } from './installation.ts';

const commitIn = (folder: string) => findCommit(pathToFileURL(`${folder}/`));

function git(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** A repository with one commit. */
function repository() {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet');
  const commit = () => {
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Change');
    return git(folder, 'rev-parse', 'HEAD').slice(0, 12);
  };
  return { folder, commit, first: commit() };
}

test('the commit of a clone is the one that is checked out', () => {
  const { folder, commit, first } = repository();
  expect(commitIn(folder)).toBe(first);
  const second = commit();
  expect(commitIn(folder)).toBe(second);
  git(folder, 'pack-refs', '--all');
  expect(commitIn(folder)).toBe(second);
  git(folder, 'checkout', '--quiet', '--detach', first);
  expect(commitIn(folder)).toBe(first);
});

test('a further working tree has a commit of its own', () => {
  const { folder, commit, first } = repository();
  const tree = path.join(temporaryFolder(), 'tree');
  git(folder, 'worktree', 'add', '--quiet', '-b', 'feature/x', tree, first);
  commit();
  expect(commitIn(tree)).toBe(first);
  git(folder, 'pack-refs', '--all');
  expect(commitIn(tree)).toBe(first);
});

test('a release names its commit', () => {
  const { folder } = repository();
  const release = (commit: string) =>
    writeFileSync(path.join(folder, 'release.json'), JSON.stringify({ version: '0.1.0', commit, date: '' }));
  release('0123456789abcdef'.repeat(3).slice(0, 40));
  expect(commitIn(folder)).toBe('0123456789ab');
  release('unknown');
  expect(commitIn(folder)).toBeUndefined();
});

test('without a release and a clone, the commit is unknown', () => {
  expect(commitIn(temporaryFolder())).toBeUndefined();
  const { folder } = repository();
  git(folder, 'checkout', '--quiet', '--orphan', 'empty');
  expect(commitIn(folder)).toBeUndefined();
});

test('--version names the version and the commit', async () => {
  const commit = findCommit(installation);
  const { stdout } = await gatehouse(['--version']);
  expect(stdout).toBe(`${manifest.version}${commit === undefined ? '' : ` (${commit})`}\n`);
});
