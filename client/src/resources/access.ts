import type { Call } from '../http/call.ts';
import type { CallOptions } from '../http/options.ts';
import type { AccessCheck, AccessDecision, CheckPage, PageCheck, SubmittedAccessRule } from '../types.ts';
import { Resource } from './resource.ts';

export interface AccessCheckOptions extends CallOptions {
  /** All rules to decide by, instead of the saved ones. They are validated like a replacement, and are not stored. */
  readonly rules?: readonly SubmittedAccessRule[];
}

/** Access checks. */
export class Access extends Resource {
  /**
   * Decides up to 100 checks of the form "does this member have access to this path", in the given order, in the same
   * way as the gate. Changes nothing.
   */
  check(
    checks: readonly AccessCheck[],
    { rules, ...options }: AccessCheckOptions = {},
  ): Call<AccessDecision[]> {
    return this.call('checkAccess', { body: { checks, ...(rules && { rules }) } }, options);
  }

  /**
   * Requests a page of the site as an anonymous visitor would, and returns the files that it loads from hosts of the site,
   * with the decision about each. At most 10 times in a minute. Changes nothing.
   */
  checkPage(page: CheckPage, options?: CallOptions): Call<PageCheck> {
    return this.call('checkPage', { body: page }, options);
  }
}
