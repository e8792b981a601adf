import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';

/** A file that this process has opened as root, for the time when it no longer is. */
export interface OpenedFile {
  readonly descriptor: number;
  readonly realPath: string;
}

/** Opens a place without the right to read it (open(2)); Node has no name for it. */
const pathOnly = 0o10000000;
const {
  O_NOFOLLOW: noFollow,
  O_DIRECTORY: directory,
  O_RDONLY: readOnly,
  O_NONBLOCK: nonBlocking,
} = constants;
const maxLinks = 40;

/**
 * Opens a file that root has named, which the service's user may not be able to read. That user must not get any other file
 * in this way: a link is followed only where root alone could have made it, and a file with several names is not opened.
 * @param file absolute
 * @returns undefined if it is not such a file: then the service's user opens it itself, if it may
 */
export function openAsRoot(file: string): OpenedFile | undefined {
  const opened: number[] = [];
  try {
    const found = openNames(namesIn(file), opened);
    if (found === undefined) return undefined;
    const place = `/proc/self/fd/${found}`;
    const descriptor = openSync(place, readOnly | nonBlocking);
    const state = fstatSync(descriptor);
    if (state.isFile() && state.nlink === 1) return { descriptor, realPath: readlinkSync(place) };
    closeSync(descriptor);
    return undefined;
  } catch {
    return undefined;
  } finally {
    for (const each of opened) closeSync(each);
  }
}

/** Each name is opened in the folder before, so that nobody can exchange a folder meanwhile. */
function openNames(names: string[], opened: number[]): number | undefined {
  const open = (place: string, flags: number) => {
    const descriptor = openSync(place, pathOnly | flags);
    opened.push(descriptor);
    return descriptor;
  };
  let [folder, links] = [open('/', directory), 0];
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const place = `/proc/self/fd/${folder}/${name}`;
    const found = open(place, noFollow);
    if (!fstatSync(found).isSymbolicLink()) {
      folder = found;
      continue;
    }
    links += 1;
    if (links > maxLinks || !belongsToRoot(folder)) return undefined;
    const target = readlinkSync(place);
    names.unshift(...namesIn(target));
    if (target.startsWith('/')) folder = open('/', directory);
  }
  return folder;
}

function namesIn(place: string): string[] {
  return place.split('/').filter((name) => name !== '');
}

/** Whether only root can change what is in a folder. */
function belongsToRoot(folder: number): boolean {
  const { uid, mode } = fstatSync(folder);
  return uid === 0 && (mode & 0o022) === 0;
}
