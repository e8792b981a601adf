import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type { AccessGroup, CreateAccessGroup, ListAccessGroups, UpdateAccessGroup } from '../../types.ts';
import { Resource } from '../resource.ts';
import { AccessGroupMembers } from './access-group-members.ts';
import { Memberships } from './memberships.ts';

/**
 * Named sets of members. Scope groups follow an external workspace: changing one fails with `scope_group_read_only`.
 */
export class AccessGroups extends Resource {
  /** When each membership begins and expires, and its source. */
  readonly memberships = new Memberships(this.connection);
  /** The members of an access group. */
  readonly members = new AccessGroupMembers(this.connection);

  /** Access groups that match all given filters, newest first. `limit` is the page size. */
  list(filter: ListAccessGroups = {}, options?: CallOptions): List<AccessGroup> {
    return this.paginate('listAccessGroups', { query: filter }, options);
  }

  /** Creates a custom access group. Fails with `access_group_name_taken` if another access group has the name. */
  create(group: CreateAccessGroup, options?: CreateOptions): Call<AccessGroup> {
    return this.call('createAccessGroup', { body: group }, options);
  }

  /** One access group, with its member count. */
  get(groupId: string, options?: CallOptions): Call<AccessGroup> {
    return this.call('getAccessGroup', { params: { groupId } }, options);
  }

  /** Changes the given fields, at least one. */
  update(groupId: string, changes: UpdateAccessGroup, options?: ChangeOptions): Call<AccessGroup> {
    return this.call('updateAccessGroup', { params: { groupId }, body: changes }, options);
  }

  /** Permanent: all memberships of the group are deleted, the members remain. */
  delete(groupId: string, options?: ChangeOptions): Call<void> {
    return this.call('deleteAccessGroup', { params: { groupId } }, options);
  }
}
