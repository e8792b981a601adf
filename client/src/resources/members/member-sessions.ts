import { type Call, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { ListMemberSessions, Session } from '../../types.ts';

/** The browsers in which a member is logged in. */
export class MemberSessions {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The active sessions, newest login first. `limit` is the page size. */
  list(memberId: string, filter: ListMemberSessions = {}, options?: CallOptions): List<Session> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send(
          'listMemberSessions',
          { params: { memberId }, query: { ...filter, after } },
          options,
        ),
        whole,
      ),
    );
  }

  /** Logs the member out in one browser. */
  revoke(memberId: string, sessionId: string, options?: CallOptions): Call<void> {
    return toCall(
      this.#connection.send('revokeMemberSession', { params: { memberId, sessionId } }, options),
      whole<void>,
    );
  }

  /** Logs the member out everywhere and revokes unused login links. */
  revokeAll(memberId: string, options?: CallOptions): Call<void> {
    return toCall(
      this.#connection.send('revokeMemberSessions', { params: { memberId } }, options),
      whole<void>,
    );
  }
}
