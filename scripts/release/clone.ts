import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { git } from './git.ts';

/** Makes a clone of the committed files of a repository, with the changes of its working copy. */
export function createClone(root: string, clone: string): void {
  git(root, 'clone', '--quiet', '--no-hardlinks', root, clone);
  const list = (...options: string[]) =>
    git(root, 'ls-files', '-z', ...options)
      .split('\0')
      .filter((file) => file !== '');
  for (const file of list('--modified', '--others', '--exclude-standard')) {
    rmSync(path.join(clone, file), { force: true });
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(clone, file));
  }
}
