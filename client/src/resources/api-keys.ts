import type { Call } from '../http/call.ts';
import type { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import type { ApiKey, CreateApiKey, CreatedApiKey, ListApiKeys, RotateApiKey } from '../types.ts';
import { Resource } from './resource.ts';

/** The API keys of the site. */
export class ApiKeys extends Resource {
  /** All API keys of the site, revoked and expired ones included, newest first. `limit` is the page size. */
  list(filter: ListApiKeys = {}, options?: CallOptions): List<ApiKey> {
    return this.paginate('listApiKeys', { query: filter }, options);
  }

  /** Creates an API key. Its secret is returned only this once. It can have only permissions that the caller has. */
  create(key: CreateApiKey, options?: CreateOptions): Call<CreatedApiKey> {
    return this.call('createApiKey', { body: key }, options);
  }

  /** Creates a new key with the same settings. The old key continues to work for 24 hours, or for `overlapHours`. */
  rotate(keyId: string, overlap: RotateApiKey = {}, options?: CreateOptions): Call<CreatedApiKey> {
    return this.call('rotateApiKey', { params: { keyId }, body: overlap }, options);
  }

  /** Permanent and effective immediately. */
  revoke(keyId: string, options?: CallOptions): Call<void> {
    return this.call('revokeApiKey', { params: { keyId } }, options);
  }
}
