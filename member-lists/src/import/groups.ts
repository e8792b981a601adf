import type { AccessGroup, Gatehouse } from '@gatehouse/client';
import { normalizeGroupName } from '@gatehouse/contract/names';

/** The groups that a list names, matched with the groups of the site. */
export interface MatchedGroups {
  /** The ids of the groups that members can be added to, by name. */
  readonly ids: ReadonlyMap<string, string>;
  /** Names of scope groups, whose members follow their source. */
  readonly scopes: readonly string[];
  /** Names without a group. */
  readonly missing: readonly string[];
  /** Invalid names. */
  readonly impossible: readonly string[];
}

/** Finds the groups of a site that a list names. Names are sorted alphabetically. */
export function matchGroups(
  names: Iterable<string>,
  groups: Iterable<Pick<AccessGroup, 'id' | 'name' | 'type'>>,
): MatchedGroups {
  const known = new Map([...groups].map((group) => [group.name, group]));
  const wanted = [...new Set(names)].sort();
  const possible = wanted.filter((name) => normalizeGroupName(name) === name);
  const custom = possible.flatMap((name) => {
    const group = known.get(name);
    return group?.type === 'custom' ? [[name, group.id] as const] : [];
  });
  return {
    ids: new Map(custom),
    scopes: possible.filter((name) => known.get(name)?.type === 'scope'),
    missing: possible.filter((name) => !known.has(name)),
    impossible: wanted.filter((name) => normalizeGroupName(name) !== name),
  };
}

/** Creates the missing groups and returns the ids of all groups by name. @throws GatehouseError */
export async function createMissingGroups(
  gatehouse: Gatehouse,
  { ids, missing }: MatchedGroups,
): Promise<ReadonlyMap<string, string>> {
  const all = new Map(ids);
  for (const name of missing) all.set(name, (await gatehouse.accessGroups.create({ name })).id);
  return all;
}
