import { type GroupsByValue, hasValues } from '../../../domain/sources/groups/source-groups.ts';
import type { SyncRun } from '../run/sync-run.ts';

/**
 * Those of the people who are gone from a collection whom this run removes; undefined if it removes nobody from its
 * groups, and these groups stay.
 */
export function peopleToRemove(
  { results }: SyncRun,
  groups: GroupsByValue,
  gone: readonly string[],
): readonly string[] | undefined {
  // Somebody who left this collection may be in the same groups because of one that could not be read.
  if (results.isIncomplete && hasValues(groups)) return undefined;
  // Nor is it known yet where somebody belongs whose row in another collection has an unknown value.
  return gone.filter((email) => !results.isUncertain(email));
}
