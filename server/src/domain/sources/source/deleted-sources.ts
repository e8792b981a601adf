import type { ExpiredRow } from '../../../storage/sql/expiring-rows.ts';
import type { Change } from '../../events/change.ts';
import { partsDeletedAtOnce } from '../uploads/list-space.ts';
import {
  deleteDeletedSource,
  deleteSomeBlocks,
  deleteSomeCreatedMembers,
  deleteSomeParts,
  deleteSomePeople,
} from './deleted-source-store.ts';

/** So that other writers wait no longer than for a bulk request. */
const peopleDeletedAtOnce = 1_000;
const membersDeletedAtOnce = 500;

export { findDeletedSources } from './deleted-source-store.ts';

/** Deletes a few rows of the first of these sources. What names people goes first. */
export async function purgeDeletedSources(change: Change, [source]: readonly ExpiredRow[]): Promise<void> {
  const { id } = source!;
  if ((await deleteSomeParts(change, id, partsDeletedAtOnce)) > 0) return;
  if ((await deleteSomePeople(change, id, peopleDeletedAtOnce)) > 0) return;
  if ((await deleteSomeCreatedMembers(change, id, membersDeletedAtOnce)) > 0) return;
  if ((await deleteSomeBlocks(change, id, membersDeletedAtOnce)) > 0) return;
  await deleteDeletedSource(change, id);
}
