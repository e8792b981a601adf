// Checks that the subject of each commit has at most 72 characters. Older commits are exempt.
import { execFileSync } from 'node:child_process';

const maxCharacters = 72;
const lastWithoutRule = '228ea75';

const range = commitsToCheck();
const subjects =
  range === undefined ? [] : git('log', '--no-merges', '--format=%h %s', range).split('\n').filter(Boolean);
const tooLong = subjects.filter((line) => [...line.slice(line.indexOf(' ') + 1)].length > maxCharacters);
for (const line of tooLong) console.log(`Longer than ${maxCharacters} characters: ${line}`);
console.log(`${subjects.length} commits checked, ${tooLong.length} with a subject that is too long.`);
process.exitCode = tooLong.length === 0 ? 0 : 1;

/** The range of commits to check; undefined if it cannot be determined. */
function commitsToCheck() {
  try {
    git('merge-base', '--is-ancestor', lastWithoutRule, 'HEAD');
    return `${lastWithoutRule}..HEAD`;
  } catch {
    if (isShallow()) {
      console.log(`The history is shallow and does not contain ${lastWithoutRule}: all commits are checked.`);
      return 'HEAD';
    }
    console.log(`The history does not contain ${lastWithoutRule}, so no commits are checked.`);
    return undefined;
  }
}

function isShallow() {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'true';
  } catch {
    return false; // not a repository
  }
}

function git(...args) {
  // git rejects a repository that another user owns.
  const trust = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  return execFileSync('git', args, {
    encoding: 'utf8',
    env: { ...process.env, ...trust },
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  }).trim();
}
