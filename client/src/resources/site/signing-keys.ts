import type { Call } from '../../http/call.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type { RotateSigningKeys, SigningKey } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The keys that sign the tokens of the site. */
export class SigningKeys extends Resource {
  /** The published keys that sign the tokens of the site, newest first. */
  list(options?: CallOptions): Call<SigningKey[]> {
    return this.call('listSigningKeys', {}, options);
  }

  /** Creates a signing key, which replaces the one before it. */
  rotate(rotation: RotateSigningKeys = {}, options?: CreateOptions): Call<SigningKey> {
    return this.call('rotateSigningKeys', { body: rotation }, options);
  }
}
