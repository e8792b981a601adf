import type { PasskeyEnd } from '@gatehouse/contract';
import { idsOf } from '../../base/ids.ts';
import type { Change } from '../events/change.ts';
import { type DeletedPasskey, deletePasskey, deletePasskeys } from './passkey-ends-store.ts';

/** Deletes every passkey of members whose rows are locked. Returns their number. */
export async function endPasskeys(
  change: Change,
  memberIds: readonly string[],
  reason: PasskeyEnd,
): Promise<number> {
  const deleted = await deletePasskeys(change, memberIds);
  const byMember = Map.groupBy(deleted, ({ memberId }) => memberId);
  for (const memberId of [...byMember.keys()].sort()) recordEnd(change, byMember.get(memberId)!, reason);
  return deleted.length;
}

/** Deletes a passkey of a member whose row is locked. Returns its name; undefined if there is no such passkey. */
export async function endPasskey(
  change: Change,
  memberId: string,
  passkeyId: string,
): Promise<string | undefined> {
  const deleted = await deletePasskey(change, memberId, passkeyId);
  if (deleted) recordEnd(change, [deleted], 'removed');
  return deleted?.name;
}

/** @param deleted of one member */
function recordEnd(change: Change, deleted: readonly DeletedPasskey[], reason: PasskeyEnd): void {
  const memberId = deleted[0]!.memberId;
  const sorted = deleted.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const names = sorted.map(({ name }) => name);
  change.record({
    type: 'member.passkey.removed',
    memberId,
    data: { memberId, passkeyIds: idsOf(sorted), names, reason },
  });
}
