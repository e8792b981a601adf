import { type Call, dataOf, toCall } from './call.ts';
import type { Connection } from './connection.ts';
import type { CallOptions } from './options.ts';
import type { AccessCheck, AccessDecision } from './types.ts';

/** What the gate would say. */
export class Access {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Answers up to 100 questions of the kind "may this member see this path", in their order. Changes nothing. */
  check(checks: readonly AccessCheck[], options?: CallOptions): Call<AccessDecision[]> {
    return toCall(this.#connection.send('checkAccess', { body: { checks } }, options), dataOf);
  }
}
