import { execFileSync } from 'node:child_process';

/** git rejects a repository that another user owns, unless it is told to trust it. */
const trust = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

/** Runs git in a repository, whoever owns that, and returns what it prints. @throws if it fails */
export function git(repository: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: repository,
    env: { ...process.env, ...trust },
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
}
