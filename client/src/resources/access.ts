import { type Call, dataOf, toCall } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import type { CallOptions } from '../http/options.ts';
import type { AccessCheck, AccessDecision } from '../types.ts';

/** Access checks. */
export class Access {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Decides up to 100 checks of the form "does this member have access to this path", in the given order, in the same
   * way as the gate. Changes nothing.
   */
  check(checks: readonly AccessCheck[], options?: CallOptions): Call<AccessDecision[]> {
    return toCall(this.#connection.send('checkAccess', { body: { checks } }, options), dataOf);
  }
}
