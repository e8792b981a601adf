import { type Call, dataOf, toCall, whole } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import type { ApiKey, CreateApiKey, CreatedApiKey, ListApiKeys, RotateApiKey } from '../types.ts';

/** The API keys of the site. */
export class ApiKeys {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All API keys of the site, revoked and expired ones included, newest first. `limit` is the page size. */
  list(filter: ListApiKeys = {}, options?: CallOptions): List<ApiKey> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listApiKeys', { query: { ...filter, after } }, options), whole),
    );
  }

  /** Creates an API key. Its secret is returned only this once. It can have only permissions that the caller has. */
  create(key: CreateApiKey, options?: CreateOptions): Call<CreatedApiKey> {
    return toCall(this.#connection.send('createApiKey', { body: key }, options), dataOf);
  }

  /** Creates a new key with the same settings. The old key continues to work for 24 hours, or for `overlapHours`. */
  rotate(keyId: string, overlap: RotateApiKey = {}, options?: CreateOptions): Call<CreatedApiKey> {
    return toCall(
      this.#connection.send('rotateApiKey', { params: { keyId }, body: overlap }, options),
      dataOf,
    );
  }

  /** Permanent and effective immediately. */
  revoke(keyId: string, options?: CallOptions): Call<void> {
    return toCall(this.#connection.send('revokeApiKey', { params: { keyId } }, options), whole<void>);
  }
}
