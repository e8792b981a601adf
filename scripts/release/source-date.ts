import path from 'node:path';
import { git } from './git.ts';
import { ReleaseError } from './release-error.ts';

/** The commit that a release is made of, and the one time that all of its files have. */
export interface Source {
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** The time of the commit, as in ISO 8601. */
  readonly date: string;
  /** The time of all files in seconds: that of the commit, or SOURCE_DATE_EPOCH (reproducible-builds.org). */
  readonly epochSeconds: number;
}

const root = path.resolve(import.meta.dirname, '../..');

/** @throws {ReleaseError} outside a clone */
export function readSource(): Source {
  const [commit = '', seconds = ''] = lastCommit().split(' ');
  const { SOURCE_DATE_EPOCH: wanted } = process.env;
  if (wanted !== undefined && !/^\d+$/.test(wanted))
    throw new ReleaseError(`SOURCE_DATE_EPOCH is ${wanted}. Set it to a number of seconds, or unset it.`);
  const date = new Date(Number(seconds) * 1000).toISOString();
  return { commit, date, epochSeconds: Number(wanted ?? seconds) };
}

function lastCommit(): string {
  try {
    return git(root, 'log', '-1', '--format=%H %ct').trim();
  } catch {
    throw new ReleaseError(
      'A release names its commit, and git does not know it (see above). Run this in a clone of the repository.',
    );
  }
}
