import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const cacheFolder = path.resolve(import.meta.dirname, '../../node_modules/.cache/release');

/**
 * The path of a file or folder that is made once. Its name must say all that it depends on, such as versions and hashes.
 * @param make makes it at the path that it is given, which does not exist; its folder does
 */
export function cached(
  name: string,
  isThere: (place: string) => boolean,
  make: (draft: string) => void,
): string {
  const place = path.join(cacheFolder, name);
  if (isThere(place)) return place;
  // Another release may run at the same time.
  const draft = `${place}.${process.pid}.draft`;
  mkdirSync(path.dirname(draft), { recursive: true });
  rmSync(draft, { recursive: true, force: true });
  make(draft);
  rmSync(place, { recursive: true, force: true });
  renameSync(draft, place);
  return place;
}
