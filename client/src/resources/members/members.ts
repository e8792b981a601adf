import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  BulkAction,
  BulkActionResult,
  BulkCreateMembers,
  BulkMemberUpdate,
  BulkResult,
  BulkUpdateResult,
  CreateMember,
  FoundMember,
  ListMembers,
  LookUpMembers,
  Member,
  MemberWithGroups,
  UpdateMember,
} from '../../types.ts';
import { Resource } from '../resource.ts';
import { MemberAccess } from './member-access.ts';
import { MemberAccessTokens } from './member-access-tokens.ts';
import { MemberIdentities } from './member-identities.ts';
import { MemberLoginLinks } from './member-login-links.ts';
import { MemberPasskeys } from './member-passkeys.ts';
import { MemberSessions } from './member-sessions.ts';

/** The members of the site. */
export class Members extends Resource {
  /** The login links of a member. */
  readonly loginLinks = new MemberLoginLinks(this.connection);
  /** The browsers in which a member is logged in. */
  readonly sessions = new MemberSessions(this.connection);
  /** The access tokens of a member for programs. */
  readonly accessTokens = new MemberAccessTokens(this.connection);
  /** The passkeys of a member. */
  readonly passkeys = new MemberPasskeys(this.connection);
  /** The accounts at login providers with which a member logs in. */
  readonly identities = new MemberIdentities(this.connection);
  /** What a member has access to. */
  readonly access = new MemberAccess(this.connection);

  /** Members that match all given filters, newest first by default. `limit` is the page size. */
  list(filter: ListMembers = {}, options?: CallOptions): List<Member> {
    return this.paginate('listMembers', { query: filter }, options);
  }

  /** Creates a member. Fails with `email_taken` if another member has the address. */
  create(member: CreateMember, options?: CreateOptions): Call<MemberWithGroups> {
    return this.call('createMember', { body: member }, options);
  }

  /**
   * Creates up to 500 members. Each is created or fails individually: check the results, which are in the order
   * submitted.
   */
  bulkCreate(members: BulkCreateMembers, options?: CreateOptions): Call<BulkResult> {
    return this.callForBody('bulkCreateMembers', { body: members }, options);
  }

  /**
   * Sets the names and `paid` of up to 500 members, each to values of its own. Each update succeeds or fails individually:
   * check the results, which are in the order submitted.
   */
  bulkUpdate(members: readonly BulkMemberUpdate[], options?: CreateOptions): Call<BulkUpdateResult> {
    return this.callForBody('bulkUpdateMembers', { body: { members } }, options);
  }

  /**
   * Applies one action to up to 500 members. It succeeds or fails for each individually: check the results, which are
   * in the order submitted.
   */
  bulkApply(
    memberIds: readonly string[],
    action: BulkAction,
    options?: CreateOptions,
  ): Call<BulkActionResult> {
    return this.callForBody('bulkMemberActions', { body: { memberIds, action } }, options);
  }

  /**
   * The members among up to 500 email addresses and ids (`{ emails }`, `{ memberIds }` or both), with their groups and the
   * expiry of the memberships. Addresses and ids that belong to no member are left out. Changes nothing.
   */
  lookUp(members: LookUpMembers, options?: CallOptions): Call<FoundMember[]> {
    return this.call('lookUpMembers', { body: members }, options);
  }

  /** One member with their access groups. */
  get(memberId: string, options?: CallOptions): Call<MemberWithGroups> {
    return this.call('getMember', { params: { memberId } }, options);
  }

  /** Changes the given fields, at least one. `status: 'blocked'` denies access. */
  update(memberId: string, changes: UpdateMember, options?: ChangeOptions): Call<MemberWithGroups> {
    return this.call('updateMember', { params: { memberId }, body: changes }, options);
  }

  /** Permanent: the memberships end and the personal data is erased. */
  delete(memberId: string, options?: ChangeOptions): Call<void> {
    return this.call('deleteMember', { params: { memberId } }, options);
  }

  /** Denies access immediately: sessions end, and unused login links stop working. */
  block(memberId: string, options?: CreateOptions): Call<MemberWithGroups> {
    return this.call('blockMember', { params: { memberId } }, options);
  }

  /** Restores access; the member has to log in again. */
  unblock(memberId: string, options?: CreateOptions): Call<MemberWithGroups> {
    return this.call('unblockMember', { params: { memberId } }, options);
  }
}
