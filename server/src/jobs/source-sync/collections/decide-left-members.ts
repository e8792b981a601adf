import { decideLeftMembers, findLeftMembers } from '../../../domain/sources/people/left-members.ts';
import type { SyncRun } from '../run/sync-run.ts';

const membersAtOnce = 500;

/**
 * Decides what becomes of those who have left the source. After a collection could not be read, the next run decides,
 * because somebody may have moved there.
 */
export async function decideAllLeftMembers({
  siteId,
  run,
  database,
  lease,
  results,
}: SyncRun): Promise<void> {
  if (run.dryRun || results.isIncomplete) return;
  for (;;) {
    const left = await findLeftMembers({ db: database, siteId }, run.sourceId, membersAtOnce);
    if (left.length === 0) return;
    const collections = new Map(left.map(({ memberId, collection }) => [memberId, collection]));
    const blocked = await lease.change((change) =>
      decideLeftMembers(change, lease.source, [...collections.keys()]),
    );
    for (const memberId of blocked) {
      const key = collections.get(memberId)!;
      const name = results.collections.find((result) => result.key === key)?.name ?? key;
      results.count({ key, name }, { blocked: 1 });
    }
  }
}
