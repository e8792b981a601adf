import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type { AccessToken, CreateAccessToken, CreatedAccessToken, ListAccessTokens } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The access tokens with which programs of a member have the member's access. */
export class MemberAccessTokens extends Resource {
  /** The tokens that have not expired, newest first. `limit` is the page size. */
  list(memberId: string, filter: ListAccessTokens = {}, options?: CallOptions): List<AccessToken> {
    return this.paginate('listAccessTokens', { params: { memberId }, query: filter }, options);
  }

  /** Creates a token. Its `secret` is returned only this once. */
  create(memberId: string, token: CreateAccessToken, options?: CreateOptions): Call<CreatedAccessToken> {
    return this.call('createAccessToken', { params: { memberId }, body: token }, options);
  }

  /** Deletes a token. Programs that use it lose their access at the next request. */
  delete(memberId: string, tokenId: string, options?: CallOptions): Call<void> {
    return this.call('deleteAccessToken', { params: { memberId, tokenId } }, options);
  }
}
