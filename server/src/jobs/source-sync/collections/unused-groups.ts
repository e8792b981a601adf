import { findAccessGroup } from '../../../domain/access-groups/access-groups.ts';
import {
  deleteGroupOfSource,
  findSourceGroups,
  type SourceGroup,
  updateUnusedSince,
} from '../../../domain/sources/groups/source-groups.ts';
import { ownGroup } from '../../../domain/sources/people/collection-people.ts';
import { findUsedValues } from '../../../domain/sources/people/source-people.ts';
import { isGraceOver } from '../run/confirmation.ts';
import type { SyncRun } from '../run/sync-run.ts';

/** Groups of values that no person has are deleted after the grace period, or with a confirmation. */
export async function deleteUnusedGroups(sync: SyncRun): Promise<void> {
  const { siteId, run, database, lease, results } = sync;
  // A row with an unknown value may name a group that nobody else is in.
  const isOpen = results.isIncomplete || results.hasUncertain;
  if (isOpen || results.collections.some(({ error }) => error !== null)) return;
  const ofValues = (await findSourceGroups({ db: database, siteId }, run.sourceId)).filter(
    ({ value }) => value !== ownGroup,
  );
  if (ofValues.length === 0) return;
  const used = await findUsedValues({ db: database, siteId }, run.sourceId);
  for (const group of ofValues) {
    if (!used.has(group.value)) await deleteUnused(sync, group);
    else if (group.unusedSince !== null && !run.dryRun) {
      await lease.change(({ db }) =>
        updateUnusedSince({ db, siteId }, run.sourceId, { ...group, unusedSince: null }),
      );
    }
  }
}

async function deleteUnused(sync: SyncRun, group: SourceGroup): Promise<void> {
  const { siteId, run, lease, confirmation } = sync;
  const { groupId, unusedSince } = group;
  const { source, now } = lease;
  const isOver =
    unusedSince === null
      ? source.graceDays === 0
      : confirmation.coversGroup(groupId) || isGraceOver(source, unusedSince, now);
  if (run.dryRun || !isOver) await reportGroupToDelete(sync, groupId);
  if (run.dryRun) return;
  if (isOver) await lease.change((change) => deleteGroupOfSource(change, run.sourceId, group));
  else if (unusedSince === null) {
    await lease.change(({ db }) =>
      updateUnusedSince({ db, siteId }, run.sourceId, { ...group, unusedSince: now }),
    );
  }
}

/** Lists a group that is deleted with a confirmation, or after the grace period. */
export async function reportGroupToDelete(
  { siteId, database, lease, results }: SyncRun,
  groupId: string,
): Promise<void> {
  const { name } = await findAccessGroup({ db: database, siteId, now: lease.now }, groupId);
  results.addGroupToDelete(groupId, name);
}
