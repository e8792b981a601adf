import { type Call, dataOf, toCall } from './call.ts';
import type { Connection } from './connection.ts';
import type { CallOptions } from './options.ts';
import { seal, unseal } from './seal.ts';
import type { VerifiedSession, VerifySession } from './types.ts';

/** For programs that serve pages themselves: who is asking. */
export class Sessions {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Who a visitor is, by the value of the session cookie, and whether the visitor may see a path. A token that opens
   * nothing is a stranger, not an error. Ask at every request: the answer changes the moment a member is blocked.
   */
  verify(visit: VerifySession, options?: CallOptions): Call<VerifiedSession> {
    return toCall(this.#connection.send('verifySession', { body: visit }, options), dataOf);
  }

  /** @internal */
  seal(visitor: VerifiedSession): Promise<string> {
    return seal(this.#connection.key, visitor);
  }

  /** @internal */
  unseal(sealed: string): Promise<VerifiedSession | undefined> {
    return unseal(this.#connection.key, sealed);
  }
}
