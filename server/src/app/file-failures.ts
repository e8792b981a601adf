// Sentences about files that this process cannot use, and what to do.

import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Names the owner, because the files in a volume often belong to another user than the one in the container. */
export function forbiddenFile(path = 'a file', user = process.getuid?.()): string {
  const owned = nearestOf(path);
  if (owned === undefined || user === undefined)
    return `No permission for ${path}. Run as a user who has it.`;
  const { place, owner, mode } = owned;
  if (owner === user) {
    return `No permission for ${path}: the mode of ${place} is ${mode.toString(8)}. Allow its owner more: chmod u+rwX ${place}`;
  }
  const other = owner === 0 ? 'Change' : `Run as the user ${owner}, or change`;
  return (
    `No permission for ${path}: ${place} belongs to the user ${owner}, and this is the user ${user}. ` +
    `${other} the owner: chown -R ${user}:${process.getgid?.()} ${place}, ` +
    'for a container in its folder or volume on the host.'
  );
}

/** The file, or the folder in which it would be. */
function nearestOf(path: string): { place: string; owner: number; mode: number } | undefined {
  for (let place = path; ; place = dirname(place)) {
    const state = stateOf(place);
    if (state !== undefined) return { place, owner: state.uid, mode: state.mode & 0o7777 };
    if (place === dirname(place)) return undefined;
  }
}

/** Undefined also below a folder that may not be read: then that one has to be changed. */
function stateOf(place: string) {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** For errors of SQLite that say little about the cause. By their codes, https://sqlite.org/rescode.html. */
export function sqliteAdvice(error: unknown): string | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== 'number') return undefined;
  if (sharedMemoryCodes.has(code))
    return `The file system of the database cannot share memory between programs. Put the database ${localDisk}`;
  if (lockCodes.has(code))
    return `The file system of the database has no locks. Put the database ${localDisk}`;
  if (code % 256 === busy)
    return `The database is locked by another program, or its file system has no locks. Stop that program, or put the database ${localDisk}`;
  if (code % 256 === full || code === sharedMemoryTooSmall)
    return 'The disk is full. Free disk space and try again.';
  return `The database file cannot be read or written: ${messageOf(error)}. Check its disk and its permissions.`;
}

const localDisk =
  'on a disk of this machine: SQLite does not work on network drives and shared folders such as NFS or SMB. Or use PostgreSQL.';

/** SQLITE_IOERR_SHMOPEN, -SHMLOCK and -SHMMAP. */
const sharedMemoryCodes = new Set([4618, 5130, 5386]);
/** SQLITE_IOERR_SHMSIZE: a write could not extend the file `-shm`, which each first program makes anew. */
const sharedMemoryTooSmall = 4874;
/** SQLITE_PROTOCOL, SQLITE_IOERR_UNLOCK, -RDLOCK and -LOCK. */
const lockCodes = new Set([15, 2058, 2314, 3850]);
const busy = 5;
const full = 13;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
