import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Makes a clone of the committed files of a repository, with the changes of its working copy. */
export function createClone(root: string, clone: string): void {
  // git rejects a repository that another user owns.
  const trust = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      env: { ...process.env, ...trust },
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
  git('clone', '--quiet', '--no-hardlinks', root, clone);
  const list = (...options: string[]) =>
    git('ls-files', '-z', ...options)
      .split('\0')
      .filter((file) => file !== '');
  for (const file of list('--modified', '--others', '--exclude-standard')) {
    rmSync(path.join(clone, file), { force: true });
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(clone, file));
  }
}
