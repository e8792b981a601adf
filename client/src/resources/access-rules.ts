import type { Call } from '../http/call.ts';
import type { CallOptions, ChangeOptions } from '../http/options.ts';
import type { AccessRules, SubmittedAccessRule } from '../types.ts';
import { Resource } from './resource.ts';

/** The access rules for the paths of the site. */
export class AccessRulesOfSite extends Resource {
  /** All rules, sorted by path. */
  get(options?: CallOptions): Call<AccessRules> {
    return this.call('getAccessRules', {}, options);
  }

  /** Replaces the whole tree. Rules that are left out are removed. If one rule is invalid, nothing changes. */
  replace(rules: readonly SubmittedAccessRule[], options?: ChangeOptions): Call<AccessRules> {
    return this.call('replaceAccessRules', { body: { rules } }, options);
  }
}
