import { type Call, dataOf, toCall } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import type { AccessRules, SubmittedAccessRule } from '../types.ts';

/** The access rules for the paths of the site. */
export class AccessRulesOfSite {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All rules, sorted by path. */
  get(options?: CallOptions): Call<AccessRules> {
    return toCall(this.#connection.send('getAccessRules', {}, options), dataOf);
  }

  /** Replaces the whole tree. Rules that are left out are removed. If one rule is invalid, nothing changes. */
  replace(rules: readonly SubmittedAccessRule[], options?: ChangeOptions): Call<AccessRules> {
    return toCall(this.#connection.send('replaceAccessRules', { body: { rules } }, options), dataOf);
  }
}
