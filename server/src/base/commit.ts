import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const shownDigits = 12;

/**
 * The commit of the program in a folder, in 12 digits: that of the release, or the one that is checked out in a clone,
 * whether or not files have changed since. The files of Git are read (gitrepository-layout), as starting Git would take
 * longer than a command. Undefined if neither is there.
 */
export function findCommit(folder: URL): string | undefined {
  const root = fileURLToPath(folder);
  const commit = commitOfRelease(root) ?? commitOfClone(root);
  return /^[\da-f]{40,64}$/.test(commit ?? '') ? commit!.slice(0, shownDigits) : undefined;
}

function commitOfRelease(root: string): string | undefined {
  const text = read(root, 'release.json');
  return text === undefined ? undefined : JSON.parse(text).commit;
}

function commitOfClone(root: string): string | undefined {
  // In a further working tree it is a file with the path of the folder.
  const git = path.resolve(root, /^gitdir: (.+)$/.exec(read(root, '.git') ?? '')?.[1] ?? '.git');
  const head = read(git, 'HEAD');
  const reference = /^ref: (.+)$/.exec(head ?? '')?.[1];
  if (reference === undefined) return head;
  const common = path.resolve(git, read(git, 'commondir') ?? '.');
  const packed = () =>
    read(common, 'packed-refs')
      ?.split('\n')
      .find((line) => line.endsWith(` ${reference}`));
  return read(common, reference) ?? packed()?.split(' ')[0];
}

/** Without the line break at the end; undefined if there is no such file. */
function read(...names: readonly string[]): string | undefined {
  try {
    return readFileSync(path.join(...names), 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}
