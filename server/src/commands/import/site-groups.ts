import type { Gatehouse } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { type MatchedGroups, matchGroups } from '@gatehouse/member-lists';
import { CommandFailure } from '../failure.ts';

const maxShown = 10;

/** Looks up the groups that a list names. @throws {CommandFailure} for names that are not valid for a group */
export async function findGroups(gatehouse: Gatehouse, names: ReadonlySet<string>): Promise<MatchedGroups> {
  const list = gatehouse.accessGroups.list({ limit: maxPageSize });
  const groups = matchGroups(names, names.size === 0 ? [] : await Array.fromAsync(list));
  const [impossible] = groups.impossible;
  if (impossible === undefined) return groups;
  throw new CommandFailure(
    'invalid_group_name',
    `"${impossible.slice(0, 120)}" is not a valid group name: a name has 1 to 100 characters on one line. Correct the file.`,
  );
}

/** @throws {CommandFailure} when a group is missing */
export function requireAll({ missing }: MatchedGroups): void {
  if (missing.length === 0) return;
  const shown = missing
    .slice(0, maxShown)
    .map((name) => `"${name}"`)
    .join(', ');
  const more = missing.length > maxShown ? ` and ${missing.length - maxShown} more` : '';
  throw new CommandFailure(
    'access_group_not_found',
    `The site has no access group ${shown}${more}. Correct the file, or create the missing groups with --create-groups.`,
  );
}
