import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import type { Change } from '../events/change.ts';
import { deleteDeletedGroup, deleteSomeMemberships } from './deleted-group-store.ts';

/** So that other writers wait no longer than for a bulk request. */
const membershipsDeletedAtOnce = 200;

/** Deletes a few memberships of the first of these groups. */
export async function purgeDeletedGroups(change: Change, [group]: readonly ExpiredRow[]): Promise<void> {
  const { id } = group!;
  if ((await deleteSomeMemberships(change, id, membershipsDeletedAtOnce)) > 0) return;
  await deleteDeletedGroup(change, id);
}

export { findDeletedGroups } from './deleted-group-store.ts';
