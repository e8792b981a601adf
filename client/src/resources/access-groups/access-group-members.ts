import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  AddAccessGroupMember,
  GroupMember,
  ListAccessGroupMembers,
  MemberWithGroups,
} from '../../types.ts';

/** The members of an access group. */
export class AccessGroupMembers {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The members with a current membership, newest member first. `limit` is the page size. */
  list(groupId: string, filter: ListAccessGroupMembers = {}, options?: CallOptions): List<GroupMember> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send(
          'listAccessGroupMembers',
          { params: { groupId }, query: { ...filter, after } },
          options,
        ),
        whole,
      ),
    );
  }

  /**
   * Adds an existing member, permanently or until `expiresAt`. Fails with `already_in_group` if the member is already
   * in the group.
   */
  add(groupId: string, member: AddAccessGroupMember, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(
      this.#connection.send('addAccessGroupMember', { params: { groupId }, body: member }, options),
      dataOf,
    );
  }

  /** Ends the membership; the member and the group remain. */
  remove(groupId: string, memberId: string, options?: ChangeOptions): Call<void> {
    return toCall(
      this.#connection.send('removeAccessGroupMember', { params: { groupId, memberId } }, options),
      whole<void>,
    );
  }
}
