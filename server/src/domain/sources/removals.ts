import type { CollectionDifference } from './collection-difference.ts';
import type { StoredRun } from './run.ts';
import type { StoredSource } from './source.ts';

// What a synchronization takes away only after somebody has confirmed it, because a source may fail.

/** Whether so many people would lose something that somebody has to confirm it. */
export function exceedsLimit(
  { maxRemovedPeople, maxRemovedPercent }: StoredSource,
  { gone, leaving, unpaid, before }: CollectionDifference,
): boolean {
  if (maxRemovedPercent === 100) return false;
  const isMany = (count: number, of: number) =>
    count > maxRemovedPeople && count * 100 > of * maxRemovedPercent;
  const isTooMuch = (count: number, of: number) => count > 0 && (count >= of || isMany(count, of));
  return (
    isTooMuch(gone.length, before.people) ||
    isTooMuch(leaving.size, before.inGroups) ||
    isMany(unpaid.size, before.paid)
  );
}

/** What has been confirmed for a run. */
export interface Confirmation {
  /** Whether so many people of a collection may lose something. */
  coversPeople(collectionKey: string, people: number): boolean;
  /** Whether a group may be deleted. */
  coversGroup(groupId: string): boolean;
}

/** @param confirmed the run whose removals are confirmed, if not all are */
export function confirmationOf({ removalsConfirmed }: StoredRun, confirmed?: StoredRun): Confirmation {
  if (!removalsConfirmed || !confirmed) {
    return { coversPeople: () => removalsConfirmed, coversGroup: () => removalsConfirmed };
  }
  const withheld = new Map(confirmed.collections.map((result) => [result.key, result.withheld]));
  const groups = new Set(confirmed.groupsToDelete.map(({ groupId }) => groupId));
  return {
    coversPeople: (key, people) => people <= (withheld.get(key) ?? -1),
    coversGroup: (groupId) => groups.has(groupId),
  };
}
