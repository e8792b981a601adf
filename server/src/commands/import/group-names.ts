import type { Gatehouse } from '@gatehouse/client';
import { CommandFailure } from '../failure.ts';

const largestPage = 100;

export interface NamedGroups {
  /** By name, those that members can be added to. */
  readonly ids: ReadonlyMap<string, string>;
  /** Names of scope groups: their members come from their source. */
  readonly scopes: ReadonlySet<string>;
  /** Names without a group. */
  readonly missing: readonly string[];
}

/** Looks up the groups that a file names. */
export async function findGroups(gatehouse: Gatehouse, names: ReadonlySet<string>): Promise<NamedGroups> {
  const ids = new Map<string, string>();
  const scopes = new Set<string>();
  if (names.size > 0) {
    for await (const { id, name, type } of gatehouse.accessGroups.list({ limit: largestPage })) {
      if (!names.has(name)) continue;
      if (type === 'scope') scopes.add(name);
      else ids.set(name, id);
    }
  }
  const missing = [...names].filter((name) => !ids.has(name) && !scopes.has(name)).sort();
  return { ids, scopes, missing };
}

/** Creates groups and gives all that there are then. */
export async function createGroups(gatehouse: Gatehouse, found: NamedGroups): Promise<NamedGroups> {
  const ids = new Map(found.ids);
  for (const name of found.missing) ids.set(name, (await gatehouse.accessGroups.create({ name })).id);
  return { ids, scopes: found.scopes, missing: [] };
}

export function refuseMissing({ missing }: NamedGroups): void {
  if (missing.length === 0) return;
  const shown = missing
    .slice(0, 10)
    .map((name) => `"${name}"`)
    .join(', ');
  const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
  throw new CommandFailure(
    'access_group_not_found',
    `The site has no access group ${shown}${more}. Correct the file, or create what is missing with --create-groups.`,
  );
}
