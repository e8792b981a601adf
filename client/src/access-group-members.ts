import { type Call, dataOf, toCall, whole } from './call.ts';
import type { Connection } from './connection.ts';
import { List } from './list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
import type {
  AddAccessGroupMember,
  GroupMember,
  ListAccessGroupMembers,
  Membership,
  MemberWithGroups,
  UpdateMembership,
} from './types.ts';

/** Who is in an access group, and until when. */
export class AccessGroupMembers {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The members whose membership is in force, newest member first. `limit` is the size of a page. */
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

  /** The memberships in force, with their ends, in the order of `list`. `limit` is the size of a page. */
  listMemberships(
    groupId: string,
    filter: ListAccessGroupMembers = {},
    options?: CallOptions,
  ): List<Membership> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send(
          'listMemberships',
          { params: { groupId }, query: { ...filter, after } },
          options,
        ),
        whole,
      ),
    );
  }

  /** Adds an existing member, for good or until `expiresAt`. Fails with `already_in_group` when that is so. */
  add(groupId: string, member: AddAccessGroupMember, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(
      this.#connection.send('addAccessGroupMember', { params: { groupId }, body: member }, options),
      dataOf,
    );
  }

  /** Since when, until when and through what a member is in the group. */
  get(groupId: string, memberId: string, options?: CallOptions): Call<Membership> {
    return toCall(this.#connection.send('getMembership', { params: { groupId, memberId } }, options), dataOf);
  }

  /** Changes when the membership ends, or with null that it does. */
  update(
    groupId: string,
    memberId: string,
    changes: UpdateMembership,
    options?: ChangeOptions,
  ): Call<Membership> {
    return toCall(
      this.#connection.send('updateMembership', { params: { groupId, memberId }, body: changes }, options),
      dataOf,
    );
  }

  /** Ends the membership; member and group remain. */
  remove(groupId: string, memberId: string, options?: ChangeOptions): Call<void> {
    return toCall(
      this.#connection.send('removeAccessGroupMember', { params: { groupId, memberId } }, options),
      whole<void>,
    );
  }
}
