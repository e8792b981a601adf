import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type { AccessGroup, CreateAccessGroup, ListAccessGroups, UpdateAccessGroup } from '../../types.ts';
import { AccessGroupMembers } from './access-group-members.ts';
import { Memberships } from './memberships.ts';

/**
 * Named sets of members. Scope groups follow an external workspace: changing one fails with `scope_group_read_only`.
 */
export class AccessGroups {
  /** When each membership begins and expires, and its source. */
  readonly memberships: Memberships;
  /** The members of an access group. */
  readonly members: AccessGroupMembers;
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.members = new AccessGroupMembers(connection);
    this.#connection = connection;
    this.memberships = new Memberships(connection);
  }

  /** Access groups that match all given filters, newest first. `limit` is the page size. */
  list(filter: ListAccessGroups = {}, options?: CallOptions): List<AccessGroup> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listAccessGroups', { query: { ...filter, after } }, options), whole),
    );
  }

  /** Creates a custom access group. Fails with `access_group_name_taken` if another access group has the name. */
  create(group: CreateAccessGroup, options?: CreateOptions): Call<AccessGroup> {
    return toCall(this.#connection.send('createAccessGroup', { body: group }, options), dataOf);
  }

  /** One access group, with its member count. */
  get(groupId: string, options?: CallOptions): Call<AccessGroup> {
    return toCall(this.#connection.send('getAccessGroup', { params: { groupId } }, options), dataOf);
  }

  /** Changes the given fields, at least one. */
  update(groupId: string, changes: UpdateAccessGroup, options?: ChangeOptions): Call<AccessGroup> {
    return toCall(
      this.#connection.send('updateAccessGroup', { params: { groupId }, body: changes }, options),
      dataOf,
    );
  }

  /** Permanent: all memberships of the group are deleted, the members remain. */
  delete(groupId: string, options?: ChangeOptions): Call<void> {
    return toCall(this.#connection.send('deleteAccessGroup', { params: { groupId } }, options), whole<void>);
  }
}
