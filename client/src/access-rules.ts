import { type Call, dataOf, toCall } from './call.ts';
import type { Connection } from './connection.ts';
import type { CallOptions, ChangeOptions } from './options.ts';
import type { AccessRules, SubmittedAccessRule } from './types.ts';

/** Who may see which paths of the site. */
export class AccessRulesOfSite {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All the rules, sorted by path. */
  get(options?: CallOptions): Call<AccessRules> {
    return toCall(this.#connection.send('getAccessRules', {}, options), dataOf);
  }

  /** Sets the whole tree at once: what is left out is gone, and when one rule is wrong nothing changes. */
  replace(rules: readonly SubmittedAccessRule[], options?: ChangeOptions): Call<AccessRules> {
    return toCall(this.#connection.send('replaceAccessRules', { body: { rules } }, options), dataOf);
  }
}
