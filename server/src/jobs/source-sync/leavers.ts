import { findLeavers, settleLeavers } from '../../domain/sources/people/leavers.ts';
import type { SyncRun } from './sync-run.ts';

const membersAtOnce = 500;

/**
 * Decides what becomes of those who have left the source. After a collection could not be read, the next run decides,
 * because somebody may have moved there.
 */
export async function settleAllLeavers(sync: SyncRun): Promise<void> {
  const { siteId, run, database, source } = sync;
  if (run.dryRun || sync.isIncomplete) return;
  for (;;) {
    const left = await findLeavers(database, siteId, source.id, membersAtOnce);
    if (left.length === 0) return;
    const collections = new Map(left.map(({ memberId, collection }) => [memberId, collection]));
    await sync.change(
      (change) => settleLeavers(change, sync.source, [...collections.keys()]),
      (blocked) => {
        for (const memberId of blocked) {
          const key = collections.get(memberId)!;
          const name = sync.results.find((result) => result.key === key)?.name ?? key;
          sync.count({ key, name }, { blocked: 1 });
        }
      },
    );
  }
}
