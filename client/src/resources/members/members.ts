import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
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
  Member,
  MemberWithGroups,
  UpdateMember,
} from '../../types.ts';
import { MemberAccessTokens } from './member-access-tokens.ts';
import { MemberLoginLinks } from './member-login-links.ts';
import { MemberSessions } from './member-sessions.ts';

/** The members of the site. */
export class Members {
  /** The login links of a member. */
  readonly loginLinks: MemberLoginLinks;
  /** The browsers in which a member is logged in. */
  readonly sessions: MemberSessions;
  /** The access tokens of a member for programs. */
  readonly accessTokens: MemberAccessTokens;
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.accessTokens = new MemberAccessTokens(connection);
    this.sessions = new MemberSessions(connection);
    this.#connection = connection;
    this.loginLinks = new MemberLoginLinks(connection);
  }

  /** Members that match all given filters, newest first by default. `limit` is the page size. */
  list(filter: ListMembers = {}, options?: CallOptions): List<Member> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listMembers', { query: { ...filter, after } }, options), whole),
    );
  }

  /** Creates a member. Fails with `email_taken` if another member has the address. */
  create(member: CreateMember, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('createMember', { body: member }, options), dataOf);
  }

  /**
   * Creates up to 500 members. Each is created or fails individually: check the results, which are in the order
   * submitted.
   */
  bulkCreate(members: BulkCreateMembers, options?: CreateOptions): Call<BulkResult> {
    return toCall(this.#connection.send('bulkCreateMembers', { body: members }, options), whole);
  }

  /**
   * Sets the names and `paid` of up to 500 members, each to values of its own. Each update succeeds or fails individually:
   * check the results, which are in the order submitted.
   */
  bulkUpdate(members: readonly BulkMemberUpdate[], options?: CreateOptions): Call<BulkUpdateResult> {
    return toCall(this.#connection.send('bulkUpdateMembers', { body: { members } }, options), whole);
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
    return toCall(
      this.#connection.send('bulkMemberActions', { body: { memberIds, action } }, options),
      whole,
    );
  }

  /**
   * The members among up to 500 addresses, with their groups and the expiry of the memberships. Addresses that belong
   * to no member are left out. Changes nothing.
   */
  lookUp(emails: readonly string[], options?: CallOptions): Call<FoundMember[]> {
    return toCall(this.#connection.send('lookUpMembers', { body: { emails } }, options), dataOf);
  }

  /** One member with their access groups. */
  get(memberId: string, options?: CallOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('getMember', { params: { memberId } }, options), dataOf);
  }

  /** Changes the given fields, at least one. `status: 'blocked'` denies access. */
  update(memberId: string, changes: UpdateMember, options?: ChangeOptions): Call<MemberWithGroups> {
    return toCall(
      this.#connection.send('updateMember', { params: { memberId }, body: changes }, options),
      dataOf,
    );
  }

  /** Permanent: the memberships end and the personal data is erased. */
  delete(memberId: string, options?: ChangeOptions): Call<void> {
    return toCall(this.#connection.send('deleteMember', { params: { memberId } }, options), whole<void>);
  }

  /** Denies access immediately: sessions end, and unused login links stop working. */
  block(memberId: string, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('blockMember', { params: { memberId } }, options), dataOf);
  }

  /** Restores access; the member has to log in again. */
  unblock(memberId: string, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('unblockMember', { params: { memberId } }, options), dataOf);
  }
}
