import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { millisecondsPerDay, type Timestamp, timestampAfter } from '../../../base/clock.ts';
import type { StoredRun } from '../../../domain/sources/runs/run.ts';
import type { StoredSource } from '../../../domain/sources/source/source.ts';
import { inChunks } from '../collections/chunks.ts';
import type { CollectionDifference } from '../collections/comparison.ts';

// What a synchronization takes away only after someone has confirmed it, because a source may fail.

/** From this number on, more than half of a small list needs a confirmation. */
const minPeopleForHalf = 3;

/** Whether so many people would lose something that someone has to confirm it. */
export function exceedsLimit(
  { maxRemovedPeople, maxRemovedPercent }: StoredSource,
  { gone, details: { leaving, unpaid, withoutAddress }, before }: CollectionDifference,
): boolean {
  if (maxRemovedPercent === 100) return false;
  const isMany = (count: number, of: number) =>
    count > maxRemovedPeople && count * 100 > of * maxRemovedPercent;
  const isOverHalf = (count: number, of: number) => count >= minPeopleForHalf && count * 2 > of;
  const isTooMuch = (count: number, of: number) =>
    count > 0 && (count >= of || isOverHalf(count, of) || isMany(count, of));
  return (
    withoutAddress > 0 ||
    isTooMuch(gone.length, before.people) ||
    isTooMuch(leaving.size, before.inGroups) ||
    isTooMuch(unpaid.size, before.paid)
  );
}

/** Whether the grace period of a source has passed since a time. */
export function isGraceOver({ graceDays }: StoredSource, since: Timestamp, now: Timestamp): boolean {
  return timestampAfter(since, graceDays * millisecondsPerDay) <= now;
}

/** Identifies who would lose what, in whatever order. */
export async function hashOfLosses({ losses }: Losses): Promise<string> {
  // Sorting a million lines at once would take a second.
  const parts = Array.from({ length: 256 }, (): string[] => []);
  for await (const chunk of inChunks(losses)) {
    for (const [email, lost] of chunk) {
      const line = `${email} ${lost.join(' ')}\n`;
      parts[hash('sha256', line, 'buffer')[0]!]!.push(line);
    }
  }
  const whole = createHash('sha256');
  for (const lines of parts) {
    whole.update(lines.sort().join(''));
    await setImmediate();
  }
  return whole.digest('base64url');
}

type Losses = Pick<CollectionDifference, 'losses'>;

/** What has been confirmed for a run. */
export interface Confirmation {
  /** Whether these people of a collection may lose this. */
  coversLosses(collectionKey: string, difference: Losses): Promise<boolean>;
  /** Whether someone has seen that exactly these people would lose this. */
  namesLosses(collectionKey: string, difference: Losses): Promise<boolean>;
  /** Whether a group may be deleted. */
  coversGroup(groupId: string): boolean;
}

/** @param confirmed the run whose removals are confirmed, if not all are and it still exists */
export function confirmationOf(
  { removalsConfirmed, confirmedRunId }: StoredRun,
  confirmed: StoredRun | undefined,
): Confirmation {
  if (!removalsConfirmed || confirmedRunId === null) {
    return {
      coversLosses: async () => removalsConfirmed,
      namesLosses: async () => false,
      coversGroup: () => removalsConfirmed,
    };
  }
  const shown = new Map(confirmed?.collections.map(({ key, lossesHash }) => [key, lossesHash]));
  const groups = new Set(confirmed?.groupsToDelete.map(({ groupId }) => groupId));
  const namesLosses = async (key: string, difference: Losses) =>
    shown.get(key) === (await hashOfLosses(difference));
  return {
    coversLosses: namesLosses,
    namesLosses,
    coversGroup: (groupId) => groups.has(groupId),
  };
}
