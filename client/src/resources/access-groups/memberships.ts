import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions } from '../../http/options.ts';
import type { ListAccessGroupMembers, Membership, UpdateMembership } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The memberships of an access group: when each of them begins and expires, and its source. */
export class Memberships extends Resource {
  /** The current memberships with their expiry, newest member first. `limit` is the page size. */
  list(groupId: string, filter: ListAccessGroupMembers = {}, options?: CallOptions): List<Membership> {
    return this.paginate('listMemberships', { params: { groupId }, query: filter }, options);
  }

  /** The start, end and source of a membership. */
  get(groupId: string, memberId: string, options?: CallOptions): Call<Membership> {
    return this.call('getMembership', { params: { groupId, memberId } }, options);
  }

  /** Changes when the membership expires; null for never. */
  update(
    groupId: string,
    memberId: string,
    changes: UpdateMembership,
    options?: ChangeOptions,
  ): Call<Membership> {
    return this.call('updateMembership', { params: { groupId, memberId }, body: changes }, options);
  }
}
