import { readlink, realpath as realpathOf } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const realpath = promisify(realpathOf.native);
const linkAt = promisify(readlink);

/** Links that lead to other links that lead to nothing are followed this often. */
const maxLinks = 8;

/** Where a path leads after all symbolic links. */
export interface LocatedPath {
  readonly place: string;
  readonly exists: boolean;
}

/**
 * Follows the symbolic links of a path, also where it leads to nothing: whether someone may know that there is nothing
 * depends on the place. A name is also found with its accents written in the other form, composed or decomposed, if
 * exactly one of the two exists. @param folder an existing folder, without symbolic links
 */
export async function locate(
  folder: string,
  names: readonly string[],
  links = maxLinks,
): Promise<LocatedPath> {
  const whole = await realpathIn(path.join(folder, ...names));
  if (whole !== undefined) return { place: whole, exists: true };
  let place = folder;
  let exists = false;
  for (const [index, name] of names.entries()) {
    const here = path.join(place, name);
    const real = (await realpathIn(here)) ?? (await realpathOfOtherForm(place, name));
    if (real === undefined) {
      const rest = names.slice(index + 1);
      const link = links > 0 ? await linkAt(here).catch(() => undefined) : undefined;
      if (link === undefined) return { place: path.join(here, ...rest), exists: false };
      const root = path.parse(place).root;
      const target = path.relative(root, path.resolve(place, link)).split(path.sep);
      return { ...(await locate(root, [...target, ...rest], links - 1)), exists: false };
    }
    exists ||= real !== here;
    place = real;
  }
  // Without a name in another form, it has appeared meanwhile.
  return { place, exists };
}

/** macOS writes accents as characters of their own (NFD), and everyone else as parts of letters (NFC). */
const forms = ['NFC', 'NFD'] as const;

async function realpathOfOtherForm(folder: string, name: string): Promise<string | undefined> {
  const others = forms.map((form) => name.normalize(form)).filter((other) => other !== name);
  const found = await Promise.all(others.map((other) => realpathIn(path.join(folder, other))));
  const [only, ...more] = found.filter((real) => real !== undefined);
  return more.length === 0 ? only : undefined;
}

/** Errors of a path at which there is nothing to see. */
const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EINVAL']);

async function realpathIn(place: string): Promise<string | undefined> {
  try {
    return await realpath(place);
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
