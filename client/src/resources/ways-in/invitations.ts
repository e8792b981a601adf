import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  BulkCreateInvitations,
  BulkInvitationResult,
  CreateInvitation,
  Invitation,
  ListInvitations,
  UpdateInvitation,
} from '../../types.ts';
import { Resource } from '../resource.ts';
import { InvitationRedemptions } from './invitation-redemptions.ts';

/** Links with which people become members, or join groups. */
export class Invitations extends Resource {
  /** The members who have joined with an invitation. */
  readonly redemptions = new InvitationRedemptions(this.connection);

  /** Invitations that match all given filters, newest first. `limit` is the page size. */
  list(filter: ListInvitations = {}, options?: CallOptions): List<Invitation> {
    return this.paginate('listInvitations', { query: filter }, options);
  }

  /** Creates an invitation and, with `email`, sends it. Its `url` is the link to hand out. */
  create(invitation: CreateInvitation = {}, options?: CreateOptions): Call<Invitation> {
    return this.call('createInvitation', { body: invitation }, options);
  }

  /**
   * Invites up to 500 email addresses. Each gets an invitation of its own or fails individually: check the results, which
   * are in the order submitted.
   */
  bulkCreate(invitations: BulkCreateInvitations, options?: CreateOptions): Call<BulkInvitationResult> {
    return this.callForBody('bulkCreateInvitations', { body: invitations }, options);
  }

  get(invitationId: string, options?: CallOptions): Call<Invitation> {
    return this.call('getInvitation', { params: { invitationId } }, options);
  }

  /** Changes the given fields, at least one. Fails with `invitation_not_active` if it has ended. */
  update(invitationId: string, changes: UpdateInvitation, options?: ChangeOptions): Call<Invitation> {
    return this.call('updateInvitation', { params: { invitationId }, body: changes }, options);
  }

  /** Nobody can join with it any more. Those who have joined stay members. */
  revoke(invitationId: string, options?: ChangeOptions): Call<void> {
    return this.call('revokeInvitation', { params: { invitationId } }, options);
  }

  /** Emails a new link to the address of the invitation. */
  send(invitationId: string, options?: CreateOptions): Call<Invitation> {
    return this.call('sendInvitation', { params: { invitationId } }, options);
  }
}
