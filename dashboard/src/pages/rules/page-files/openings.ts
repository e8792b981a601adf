import type { AccessRule, PageFile } from '@gatehouse/client';
import { segmentsOf } from '@gatehouse/contract/rule-paths';
import { pathFault, tidyPath } from '../rule-tree.ts';

/** Rules that would make closed files of a page public. */
export interface Opening {
  /** The folder that would become public with everything below it; null for the files alone. */
  readonly folder: string | null;
  readonly rules: readonly AccessRule[];
}

interface ClosedFile {
  readonly path: string;
  readonly host: string | undefined;
}

/**
 * The fewest openings for the closed files of a page. A folder is opened only if no rule is for a part of it: an operator has
 * decided about that. Files that have a rule of their own, or cannot have one, are left out.
 * @param rules all rules of the site
 * @param nameHosts whether the new rules are for the hosts of the files: for a site with several
 */
export function openingsFor(
  files: readonly PageFile[],
  rules: readonly AccessRule[],
  nameHosts: boolean,
): Opening[] {
  const closed = files
    .filter(({ allowed, reason }) => !allowed && reason !== 'ambiguous_path')
    .map(({ path, host }) => ({ path: decoded(path), host: nameHosts ? host : undefined }));
  const found = [...Map.groupBy(closed, ({ host }) => host).values()].flatMap((each) =>
    openingsBelow(distinct(each), rules),
  );
  const singles = found.filter(({ folder }) => folder === null).flatMap((each) => each.rules);
  const folders = found.filter(({ folder }) => folder !== null);
  return singles.length === 0 ? folders : [...folders, { folder: null, rules: singles }];
}

function openingsBelow(files: readonly ClosedFile[], rules: readonly AccessRule[]): Opening[] {
  const common = commonFolder(files.map(({ path }) => segmentsOf(path).slice(0, -1)));
  const folder = publicRule(`/${common.join('/')}`, files[0]!.host);
  if (common.length > 0 && mayOpen(folder, rules)) return [{ folder: folder.path, rules: [folder] }];
  const parts = Map.groupBy(files, ({ path }) => {
    const below = segmentsOf(path).slice(common.length);
    // Each file beside the folders is a part of its own.
    return below.length > 1 ? `${below[0]}/` : below[0];
  });
  return [...parts].flatMap(([name, part]) => {
    if (name?.endsWith('/')) return openingsBelow(part, rules);
    return part
      .map(({ path, host }) => publicRule(path, host))
      .filter((rule) => mayOpen(rule, rules))
      .map((rule) => ({ folder: null, rules: [rule] }));
  });
}

/** Whether a rule for a path can be added, and no rule is for the path or a part of it yet. */
function mayOpen(rule: AccessRule, rules: readonly AccessRule[]): boolean {
  const isPart = ({ path }: AccessRule) => path === rule.path || path.startsWith(`${rule.path}/`);
  return tidyPath(rule.path) === rule.path && !rules.some(isPart) && pathFault(rule, rules) === null;
}

function publicRule(path: string, host: string | undefined): AccessRule {
  return { path, access: 'public', ...(host !== undefined && { hosts: [host] }) };
}

function commonFolder(folders: readonly (readonly string[])[]): readonly string[] {
  const [first, ...others] = folders as [readonly string[], ...(readonly string[])[]];
  const end = first.findIndex((name, index) => others.some((folder) => folder[index] !== name));
  return end === -1 ? first : first.slice(0, end);
}

function distinct(files: readonly ClosedFile[]): readonly ClosedFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

/** The path of a file as in a rule: without the query, and readable. */
function decoded(requested: string): string {
  const path = requested.split('?')[0]!;
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
}
