import type { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { InvitationRedemption, ListInvitationRedemptions } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The members who have joined with an invitation. */
export class InvitationRedemptions extends Resource {
  /** Latest first. Members who were deleted since are missing. `limit` is the page size. */
  list(
    invitationId: string,
    filter: ListInvitationRedemptions = {},
    options?: CallOptions,
  ): List<InvitationRedemption> {
    return this.paginate('listInvitationRedemptions', { params: { invitationId }, query: filter }, options);
  }
}
