import {
  deleteGroupOfSource,
  findSourceGroups,
  type SourceGroup,
  updateUnusedSince,
} from '../../domain/sources/groups/source-groups.ts';
import { ownGroup } from '../../domain/sources/people/collection-people.ts';
import { findUsedValues } from '../../domain/sources/people/source-people.ts';
import type { SyncRun } from './sync-run.ts';

/** Groups of values that nobody has any more are deleted after the grace period, or with a confirmation. */
export async function followUnusedValues(sync: SyncRun): Promise<void> {
  const { siteId, source, run, database } = sync;
  // A row with an unknown value may name a group that nobody else is in.
  const isOpen = sync.isIncomplete || sync.uncertain.size > 0;
  if (isOpen || sync.results.some(({ error }) => error !== null)) return;
  const ofValues = (await findSourceGroups(database, siteId, source.id)).filter(
    ({ value }) => value !== ownGroup,
  );
  if (ofValues.length === 0) return;
  const used = await findUsedValues(database, siteId, source.id);
  for (const group of ofValues) {
    if (!used.has(group.value)) await leaveUnused(sync, group);
    else if (group.unusedSince !== null && !run.dryRun) {
      await sync.change(({ tx }) => updateUnusedSince(tx, siteId, source.id, group, null));
    }
  }
}

async function leaveUnused(sync: SyncRun, group: SourceGroup): Promise<void> {
  const { siteId, source, run, confirmation } = sync;
  const { groupId, unusedSince } = group;
  const isOver =
    unusedSince === null
      ? source.graceDays === 0
      : confirmation.coversGroup(groupId) || sync.isGraceOver(unusedSince);
  if (run.dryRun || !isOver) await sync.reportGroupToDelete(groupId);
  if (run.dryRun) return;
  if (isOver) await sync.change((change) => deleteGroupOfSource(change, source.id, group));
  else if (unusedSince === null) {
    await sync.change(({ tx }) => updateUnusedSince(tx, siteId, source.id, group, sync.now));
  }
}
