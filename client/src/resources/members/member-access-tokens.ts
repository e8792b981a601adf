import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type { AccessToken, CreateAccessToken, CreatedAccessToken, ListAccessTokens } from '../../types.ts';

/** The access tokens with which programs of a member have the member's access. */
export class MemberAccessTokens {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The tokens that have not expired, newest first. `limit` is the page size. */
  list(memberId: string, filter: ListAccessTokens = {}, options?: CallOptions): List<AccessToken> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send(
          'listAccessTokens',
          { params: { memberId }, query: { ...filter, after } },
          options,
        ),
        whole,
      ),
    );
  }

  /** Creates a token. Its `secret` is returned only this once. */
  create(memberId: string, token: CreateAccessToken, options?: CreateOptions): Call<CreatedAccessToken> {
    return toCall(
      this.#connection.send('createAccessToken', { params: { memberId }, body: token }, options),
      dataOf,
    );
  }

  /** Deletes a token. Programs that use it lose their access at the next request. */
  delete(memberId: string, tokenId: string, options?: CallOptions): Call<void> {
    return toCall(
      this.#connection.send('deleteAccessToken', { params: { memberId, tokenId } }, options),
      whole<void>,
    );
  }
}
