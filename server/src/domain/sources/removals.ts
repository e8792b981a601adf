import { createHash } from 'node:crypto';
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

/** Identifies who would lose what. */
export function hashOfLosses({ losses }: Pick<CollectionDifference, 'losses'>): string {
  const lines = [...losses].map(([email, lost]) => `${email} ${lost.join(' ')}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('base64url');
}

/** What has been confirmed for a run. */
export interface Confirmation {
  /** Whether these people of a collection may lose this. */
  coversLosses(collectionKey: string, difference: Pick<CollectionDifference, 'losses'>): boolean;
  /** Whether a group may be deleted. */
  coversGroup(groupId: string): boolean;
}

/** @param confirmed the run whose removals are confirmed, if not all are and it still exists */
export function confirmationOf(
  { removalsConfirmed, confirmedRunId }: StoredRun,
  confirmed: StoredRun | undefined,
): Confirmation {
  if (!removalsConfirmed || confirmedRunId === null) {
    return { coversLosses: () => removalsConfirmed, coversGroup: () => removalsConfirmed };
  }
  const shown = new Map(confirmed?.collections.map(({ key, lossesHash }) => [key, lossesHash]));
  const groups = new Set(confirmed?.groupsToDelete.map(({ groupId }) => groupId));
  return {
    coversLosses: (key, difference) => shown.get(key) === hashOfLosses(difference),
    coversGroup: (groupId) => groups.has(groupId),
  };
}
