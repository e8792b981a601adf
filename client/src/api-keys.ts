import { type Call, dataOf, toCall, whole } from './call.ts';
import type { Connection } from './connection.ts';
import { List } from './list.ts';
import type { CallOptions, CreateOptions } from './options.ts';
import type { ApiKey, CreateApiKey, CreatedApiKey, ListApiKeys, RotateApiKey } from './types.ts';

/** What programs open the API with. */
export class ApiKeys {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Every key that the site ever had, newest first. `limit` is the size of a page. */
  list(filter: ListApiKeys = {}, options?: CallOptions): List<ApiKey> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listApiKeys', { query: { ...filter, after } }, options), whole),
    );
  }

  /** Makes a key, which is told this once. It can carry only what the caller carries itself. */
  create(key: CreateApiKey, options?: CreateOptions): Call<CreatedApiKey> {
    return toCall(this.#connection.send('createApiKey', { body: key }, options), dataOf);
  }

  /** Makes a key like this one, which goes on working for 24 hours, or for `overlapHours`. */
  rotate(keyId: string, overlap: RotateApiKey = {}, options?: CreateOptions): Call<CreatedApiKey> {
    return toCall(
      this.#connection.send('rotateApiKey', { params: { keyId }, body: overlap }, options),
      dataOf,
    );
  }

  /** Permanent, and at once everywhere. */
  revoke(keyId: string, options?: CallOptions): Call<void> {
    return toCall(this.#connection.send('revokeApiKey', { params: { keyId } }, options), whole<void>);
  }
}
