import manifest from '../../../package.json' with { type: 'json' };
import { findCommit } from './commit.ts';
import { installation } from './installation.ts';

export const version: string = manifest.version;

/** The commit of the program, in 12 digits; undefined if it is unknown. */
export const commit: string | undefined = findCommit(installation);

/** Both, for people: `0.1.0 (abcdef123456)`. */
export const versionAndCommit: string = commit === undefined ? version : `${version} (${commit})`;
