import { type Call, dataOf, toCall } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import type { GetOverview, Overview, RotateSigningKeys, SigningKey, Site, UpdateSite } from '../types.ts';

/** The site that the API key belongs to. */
export class SiteOfKey {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The site. Useful to check that a key works. */
  get(options?: CallOptions): Call<Site> {
    return toCall(this.#connection.send('getSite', {}, options), dataOf);
  }

  /**
   * An overview of the site: member counts, the email queue, the set-up steps, and the activity of the last 30 days.
   */
  overview(filter: GetOverview = {}, options?: CallOptions): Call<Overview> {
    return toCall(this.#connection.send('getOverview', { query: filter }, options), dataOf);
  }

  /** Changes the given fields, at least one. */
  update(changes: UpdateSite, options?: ChangeOptions): Call<Site> {
    return toCall(this.#connection.send('updateSite', { body: changes }, options), dataOf);
  }

  /** The published keys that sign the tokens of the site, newest first. */
  signingKeys(options?: CallOptions): Call<SigningKey[]> {
    return toCall(this.#connection.send('listSigningKeys', {}, options), dataOf);
  }

  /** Creates a signing key, which replaces the one before it. */
  rotateSigningKeys(rotation: RotateSigningKeys = {}, options?: CreateOptions): Call<SigningKey> {
    return toCall(this.#connection.send('rotateSigningKeys', { body: rotation }, options), dataOf);
  }
}
