import type { Change } from '../events/change.ts';
import { lockMembers } from '../members/member-lookup.ts';
import { updateMembers } from '../members/member-updates.ts';
import { clearLeft, insertBlocks, selectLeft } from './created-member-store.ts';
import { selectPeopleElsewhere } from './source-people-store.ts';
import type { SyncRun } from './sync-run.ts';

const membersAtOnce = 500;

/**
 * Decides what becomes of members that a source has created and that have left its collections: they are blocked if the
 * source says so, unless another collection has them. After a collection could not be read, the next run decides,
 * because somebody may have moved there.
 */
export async function settleLeavers(sync: SyncRun): Promise<void> {
  const { siteId, run, database, source } = sync;
  if (run.dryRun || sync.isIncomplete) return;
  for (;;) {
    const left = await selectLeft(database, siteId, source.id, membersAtOnce);
    if (left.length === 0) return;
    const collections = new Map(left.map(({ memberId, collection }) => [memberId, collection]));
    await sync.change(
      (change) => settle(change, sync, [...collections.keys()]),
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

/** Returns the ids of those who were blocked. */
async function settle(change: Change, sync: SyncRun, memberIds: readonly string[]): Promise<string[]> {
  const { tx, siteId, at } = change;
  const { id: sourceId, leavers } = sync.source;
  const members = await lockMembers(tx, siteId, memberIds);
  await clearLeft(tx, siteId, memberIds);
  if (leavers === 'keep') return [];
  const emails = members.map(({ email }) => email);
  const listed = await selectPeopleElsewhere(tx, siteId, sourceId, undefined, emails);
  const leaving = members.filter(({ email }) => !listed.has(email));
  const blocked = await updateMembers(change, leaving, { status: 'blocked' });
  const ids = blocked.map(({ id }) => id);
  await insertBlocks(tx, siteId, sourceId, ids, at);
  return ids;
}
