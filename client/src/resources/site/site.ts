import { type Call, dataOf, toCall } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import type { CallOptions, ChangeOptions } from '../../http/options.ts';
import type { Site, UpdateSite } from '../../types.ts';
import { SigningKeys } from './signing-keys.ts';

/** The site that the API key belongs to. */
export class SiteOfKey {
  /** The keys that sign the tokens of the site. */
  readonly signingKeys: SigningKeys;
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
    this.signingKeys = new SigningKeys(connection);
  }

  /** The site. Useful to check that a key works. */
  get(options?: CallOptions): Call<Site> {
    return toCall(this.#connection.send('getSite', {}, options), dataOf);
  }

  /** Changes the given fields, at least one. */
  update(changes: UpdateSite, options?: ChangeOptions): Call<Site> {
    return toCall(this.#connection.send('updateSite', { body: changes }, options), dataOf);
  }
}
