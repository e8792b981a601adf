import { type AccessGroup, type Gatehouse, GatehouseError } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { type MatchedGroups, matchGroups } from '@gatehouse/member-lists';
import { CommandFailure } from '../../../app/failure.ts';
import { quoted } from '../../lists/column-mapping.ts';

const maxShown = 10;

/** The groups of the site; none if the key may not read them, which matters only to lists with groups. */
export async function findSiteGroups(gatehouse: Gatehouse): Promise<readonly AccessGroup[]> {
  try {
    return await Array.fromAsync(gatehouse.accessGroups.list({ limit: maxPageSize }));
  } catch (error) {
    if (error instanceof GatehouseError && error.code === 'permission_denied') return [];
    throw error;
  }
}

/**
 * Looks up the groups that a list names.
 * @param groups those that have been found
 * @throws {CommandFailure} for names that are not valid for a group
 */
export async function matchListedGroups(
  gatehouse: Gatehouse,
  names: ReadonlySet<string>,
  groups: readonly AccessGroup[],
): Promise<MatchedGroups> {
  // Without any group, the key may have no permission to read them: then the error says so.
  const mustRead = names.size > 0 && groups.length === 0;
  const list = gatehouse.accessGroups.list({ limit: maxPageSize });
  const matched = matchGroups(names, mustRead ? await Array.fromAsync(list) : groups);
  const [impossible] = matched.impossible;
  if (impossible === undefined) return matched;
  throw new CommandFailure(
    'invalid_group_name',
    `"${impossible.slice(0, 120)}" is not a valid group name: a name has 1 to 100 characters on one line. Correct the file.`,
  );
}

/** @throws {CommandFailure} when a group is missing */
export function requireAll({ missing }: MatchedGroups): void {
  if (missing.length === 0) return;
  const more = missing.length > maxShown ? ` and ${missing.length - maxShown} more` : '';
  throw new CommandFailure(
    'access_group_not_found',
    `The site has no access group ${quoted(missing.slice(0, maxShown))}${more}. Correct the file, or create the missing groups with --create-groups.`,
  );
}
