import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  AddAccessGroupMember,
  GroupMember,
  ListAccessGroupMembers,
  MemberWithGroups,
} from '../../types.ts';
import { Resource } from '../resource.ts';

/** The members of an access group. */
export class AccessGroupMembers extends Resource {
  /** The members with a current membership, newest member first. `limit` is the page size. */
  list(groupId: string, filter: ListAccessGroupMembers = {}, options?: CallOptions): List<GroupMember> {
    return this.paginate('listAccessGroupMembers', { params: { groupId }, query: filter }, options);
  }

  /**
   * Adds an existing member, permanently or until `expiresAt`. Fails with `already_in_group` if the member is already
   * in the group.
   */
  add(groupId: string, member: AddAccessGroupMember, options?: CreateOptions): Call<MemberWithGroups> {
    return this.call('addAccessGroupMember', { params: { groupId }, body: member }, options);
  }

  /** Ends the membership; the member and the group remain. */
  remove(groupId: string, memberId: string, options?: ChangeOptions): Call<void> {
    return this.call('removeAccessGroupMember', { params: { groupId, memberId } }, options);
  }
}
