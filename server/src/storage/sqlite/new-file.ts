import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncToDisk } from './sqlite-file.ts';

/**
 * Gives a complete file its final name, and waits until both are on disk. Returns false when that name is already
 * taken, and undefined when the file is gone because another process deleted it as a leftover.
 */
export function publish(temporary: string, path: string): boolean | undefined {
  try {
    syncToDisk(temporary);
    linkSync(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOENT') return undefined;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    // The file system has no hard links, and so no atomic way to take a name only if it is free.
    if (existsSync(path)) return false;
    renameSync(temporary, path);
  }
  rmSync(temporary, { force: true });
  syncToDisk(dirname(path));
  return true;
}
