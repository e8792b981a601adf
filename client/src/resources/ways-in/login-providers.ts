import type { Call } from '../../http/call.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  CreateLoginProvider,
  LoginProvider,
  LoginProviderTest,
  UpdateLoginProvider,
} from '../../types.ts';
import { Resource } from '../resource.ts';

/** Servers where members have an account with which they can log in. */
export class LoginProviders extends Resource {
  /** The login providers of the site, oldest first. */
  list(options?: CallOptions): Call<LoginProvider[]> {
    return this.call('listLoginProviders', {}, options);
  }

  /** Creates a provider. Members see it once it is enabled. */
  create(loginProvider: CreateLoginProvider, options?: CreateOptions): Call<LoginProvider> {
    return this.call('createLoginProvider', { body: loginProvider }, options);
  }

  get(providerId: string, options?: CallOptions): Call<LoginProvider> {
    return this.call('getLoginProvider', { params: { providerId } }, options);
  }

  /** Changes the given fields, at least one. Type, issuer and tenant stay the same. */
  update(providerId: string, changes: UpdateLoginProvider, options?: ChangeOptions): Call<LoginProvider> {
    return this.call('updateLoginProvider', { params: { providerId }, body: changes }, options);
  }

  /** Says what is wrong with the settings, without a login. */
  test(providerId: string, options?: CallOptions): Call<LoginProviderTest> {
    return this.call('testLoginProvider', { params: { providerId } }, options);
  }

  /** Permanent. Members who logged in with it use their email address instead. */
  delete(providerId: string, options?: ChangeOptions): Call<void> {
    return this.call('deleteLoginProvider', { params: { providerId } }, options);
  }
}
