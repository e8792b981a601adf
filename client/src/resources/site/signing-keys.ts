import { type Call, dataOf, toCall } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type { RotateSigningKeys, SigningKey } from '../../types.ts';

/** The keys that sign the tokens of the site. */
export class SigningKeys {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The published keys that sign the tokens of the site, newest first. */
  list(options?: CallOptions): Call<SigningKey[]> {
    return toCall(this.#connection.send('listSigningKeys', {}, options), dataOf);
  }

  /** Creates a signing key, which replaces the one before it. */
  rotate(rotation: RotateSigningKeys = {}, options?: CreateOptions): Call<SigningKey> {
    return toCall(this.#connection.send('rotateSigningKeys', { body: rotation }, options), dataOf);
  }
}
