import type { Timestamp } from '../../../base/clock.ts';
import type { Queries } from '../../../storage/database.ts';
import type { Change } from '../../events/change.ts';
import { partsDeletedAtOnce } from '../uploads/list-space.ts';
import {
  type DeletedSource,
  deleteDeletedSource,
  deleteSomeBlocks,
  deleteSomeCreatedMembers,
  deleteSomeParts,
  deleteSomePeople,
  selectDeletedSources,
} from './deleted-source-store.ts';

/** So that other writers wait no longer than for a bulk request. */
const peopleDeletedAtOnce = 1_000;
const membersDeletedAtOnce = 500;

/** A few sources that were deleted and may still have rows, over all sites. */
export function findDeletedSources(db: Queries, now: Timestamp, limit: number): Promise<DeletedSource[]> {
  return selectDeletedSources(db, now, limit);
}

/** Deletes a few rows of the first of these sources. What names people goes first. */
export async function purgeDeletedSources(change: Change, [source]: readonly DeletedSource[]): Promise<void> {
  const { id } = source!;
  if ((await deleteSomeParts(change, id, partsDeletedAtOnce)) > 0) return;
  if ((await deleteSomePeople(change, id, peopleDeletedAtOnce)) > 0) return;
  if ((await deleteSomeCreatedMembers(change, id, membersDeletedAtOnce)) > 0) return;
  if ((await deleteSomeBlocks(change, id, membersDeletedAtOnce)) > 0) return;
  await deleteDeletedSource(change, id);
}
