import type { Identity } from '@gatehouse/contract';
import type { SiteView } from '../../storage/site-view.ts';
import type { Change } from '../events/change.ts';
import { listIdentities, removeIdentities, removeIdentity } from '../identities/identities.ts';
import { memberNotFound } from './member.ts';
import { lockMemberRow, selectMember } from './member-store.ts';

/** @throws {ApiError} `member_not_found` */
export async function listMemberIdentities(view: SiteView, memberId: string): Promise<Identity[]> {
  if (!(await selectMember(view, memberId))) throw memberNotFound();
  return listIdentities(view, memberId);
}

/** Removes one, or all of them. @throws {ApiError} `member_not_found`, `identity_not_found` */
export async function removeMemberIdentities(
  change: Change,
  memberId: string,
  identityId: string | null,
): Promise<void> {
  if (!(await lockMemberRow(change, memberId))) throw memberNotFound();
  if (identityId === null) await removeIdentities(change, [memberId], 'removed');
  else await removeIdentity(change, memberId, identityId);
}
