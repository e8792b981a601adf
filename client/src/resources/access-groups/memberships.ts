import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions } from '../../http/options.ts';
import type { ListAccessGroupMembers, Membership, UpdateMembership } from '../../types.ts';

/** The memberships of an access group: when each of them begins and expires, and its source. */
export class Memberships {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The current memberships with their expiry, newest member first. `limit` is the page size. */
  list(groupId: string, filter: ListAccessGroupMembers = {}, options?: CallOptions): List<Membership> {
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

  /** The start, end and source of a membership. */
  get(groupId: string, memberId: string, options?: CallOptions): Call<Membership> {
    return toCall(this.#connection.send('getMembership', { params: { groupId, memberId } }, options), dataOf);
  }

  /** Changes when the membership expires; null for never. */
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
}
