import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { ListMemberSessions, Session } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The browsers in which a member is logged in. */
export class MemberSessions extends Resource {
  /** The active sessions, newest login first. `limit` is the page size. */
  list(memberId: string, filter: ListMemberSessions = {}, options?: CallOptions): List<Session> {
    return this.paginate('listMemberSessions', { params: { memberId }, query: filter }, options);
  }

  /** Logs the member out in one browser. */
  revoke(memberId: string, sessionId: string, options?: CallOptions): Call<void> {
    return this.call('revokeMemberSession', { params: { memberId, sessionId } }, options);
  }

  /** Logs the member out everywhere and revokes unused login links. */
  revokeAll(memberId: string, options?: CallOptions): Call<void> {
    return this.call('revokeMemberSessions', { params: { memberId } }, options);
  }
}
