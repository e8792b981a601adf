import type { Call } from '../../http/call.ts';
import type { CallOptions, ChangeOptions } from '../../http/options.ts';
import type { Site, UpdateSite } from '../../types.ts';
import { Resource } from '../resource.ts';
import { SigningKeys } from './signing-keys.ts';

/** The site that the API key belongs to. */
export class SiteOfKey extends Resource {
  /** The keys that sign the tokens of the site. */
  readonly signingKeys = new SigningKeys(this.connection);

  /** The site. Useful to check that a key works. */
  get(options?: CallOptions): Call<Site> {
    return this.call('getSite', {}, options);
  }

  /** Changes the given fields, at least one. */
  update(changes: UpdateSite, options?: ChangeOptions): Call<Site> {
    return this.call('updateSite', { body: changes }, options);
  }
}
