import { idsOf } from '../../../base/ids.ts';
import type { Change } from '../../events/change.ts';
import { lockMembers } from '../../members/member-lookup.ts';
import { updateMembers } from '../../members/member-updates.ts';
import type { StoredSource } from '../source/source.ts';
import { clearLeft, insertBlocks } from './created-member-store.ts';
import { selectPeopleElsewhere } from './source-people-store.ts';

/**
 * Decides what becomes of members that a source has created and that have left its collections: they are blocked if the
 * source says so, unless another collection has them. Returns the ids of those who were blocked.
 */
export async function decideLeftMembers(
  change: Change,
  { id: sourceId, onLeave }: StoredSource,
  memberIds: readonly string[],
): Promise<string[]> {
  const members = await lockMembers(change, memberIds);
  await clearLeft(change, memberIds);
  if (onLeave === 'keep') return [];
  const emails = members.map(({ email }) => email);
  const listed = await selectPeopleElsewhere(change, { sourceId }, emails);
  const leaving = members.filter(({ email }) => !listed.has(email));
  const blocked = await updateMembers(change, leaving, { status: 'blocked' });
  const ids = idsOf(blocked);
  await insertBlocks(change, sourceId, ids);
  return ids;
}

export { selectLeft as findLeftMembers } from './created-member-store.ts';
