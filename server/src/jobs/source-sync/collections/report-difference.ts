import type { SourceCollection } from '../../../domain/sources/collections/collection.ts';
import { hashOfLosses } from '../run/confirmation.ts';
import type { SyncRun } from '../run/sync-run.ts';
import type { CollectionDifference } from './comparison.ts';

/** Writes into the result of a collection what has to be changed, or in a dry run what would be. */
export async function reportDifference(
  { run: { dryRun }, results }: SyncRun,
  collection: SourceCollection,
  { counts, losses, sample }: CollectionDifference,
  { read, isWithheld }: { readonly read: number; readonly isWithheld: boolean },
): Promise<void> {
  results.set(collection, {
    read,
    withheld: isWithheld ? losses.size : 0,
    error: null,
    lossesHash: isWithheld ? await hashOfLosses({ losses }) : undefined,
  });
  if (dryRun) results.set(collection, { ...counts, removed: isWithheld ? 0 : counts.removed });
  if (dryRun || isWithheld) {
    const { added, removed } = sample;
    results.set(collection, { sample: { added: [...added.emails], removed: [...removed.emails] } });
  }
}
