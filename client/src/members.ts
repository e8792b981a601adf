import { type Call, dataOf, toCall, whole } from './call.ts';
import type { Connection } from './connection.ts';
import { List } from './list.ts';
import { MemberSessions } from './member-sessions.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
import type {
  BulkAction,
  BulkActionResult,
  BulkCreateMembers,
  BulkResult,
  CreateLoginLink,
  CreateMember,
  ListMembers,
  LoginLink,
  Member,
  MemberWithGroups,
  UpdateMember,
} from './types.ts';

/** The people of the site. */
export class Members {
  /** The browsers in which a member is logged in. */
  readonly sessions: MemberSessions;
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.sessions = new MemberSessions(connection);
    this.#connection = connection;
  }

  /** Members that match every filter given, newest first unless `sort` and `order` say otherwise. `limit` is the size of a page. */
  list(filter: ListMembers = {}, options?: CallOptions): List<Member> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listMembers', { query: { ...filter, after } }, options), whole),
    );
  }

  /** Creates a member. Fails with `email_taken` when another one has the address. */
  create(member: CreateMember, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('createMember', { body: member }, options), dataOf);
  }

  /** Creates up to 500 members, each on its own: look at the results, which come in the order submitted. */
  bulkCreate(members: BulkCreateMembers, options?: CreateOptions): Call<BulkResult> {
    return toCall(this.#connection.send('bulkCreateMembers', { body: members }, options), whole);
  }

  /** Does one thing to up to 500 members, each on its own: look at the results, which come in the order submitted. */
  bulkAction(
    memberIds: readonly string[],
    action: BulkAction,
    options?: CreateOptions,
  ): Call<BulkActionResult> {
    return toCall(
      this.#connection.send('bulkMemberActions', { body: { memberIds, action } }, options),
      whole,
    );
  }

  /** One member, with the access groups that the member belongs to. */
  get(memberId: string, options?: CallOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('getMember', { params: { memberId } }, options), dataOf);
  }

  /** Changes the fields that are given, at least one. `status: 'blocked'` denies access. */
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

  /** Denies access at once: sessions end, and login links on their way stop working. */
  block(memberId: string, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('blockMember', { params: { memberId } }, options), dataOf);
  }

  /** Gives access back; the member logs in anew. */
  unblock(memberId: string, options?: CreateOptions): Call<MemberWithGroups> {
    return toCall(this.#connection.send('unblockMember', { params: { memberId } }, options), dataOf);
  }

  /**
   * Mails the member a link that logs in. With `send: false` the link is answered instead, which needs the permission
   * `login-links:write`: whoever has the link is that member. Links made before stop working.
   */
  createLoginLink(memberId: string, link: CreateLoginLink = {}, options?: CreateOptions): Call<LoginLink> {
    return toCall(
      this.#connection.send('createMemberLoginLink', { params: { memberId }, body: link }, options),
      dataOf,
    );
  }
}
