import type { Call } from '../http/call.ts';
import type { CallOptions } from '../http/options.ts';
import type { AccessCheck, AccessDecision, CheckPage, PageCheck, SubmittedAccessRule } from '../types.ts';
import { Resource } from './resource.ts';

export interface AccessCheckOptions extends CallOptions {
  /** All rules to decide by, instead of the saved ones. They are validated like a replacement, and are not stored. */
  readonly rules?: readonly SubmittedAccessRule[];
}

/** Public pages of the site. */
class PublicPages extends Resource {
  /**
   * Requests a page as an anonymous visitor would, and returns the files that it loads from hosts of the site, with the
   * decision about each. At most 10 times in a minute. Changes nothing.
   */
  check(page: CheckPage, options?: CallOptions): Call<PageCheck> {
    return this.call('checkPage', { body: page }, options);
  }
}

/** Access checks. */
export class Access extends Resource {
  /** Public pages of the site, and the files that they load. */
  readonly pages = new PublicPages(this.connection);

  /**
   * Decides up to 100 checks of the form "does this member have access to this path", in the given order, in the same
   * way as the gate. Changes nothing.
   */
  check(checks: readonly AccessCheck[], options: AccessCheckOptions = {}): Call<AccessDecision[]> {
    const { rules, ...others } = options;
    return this.call('checkAccess', { body: { checks, ...(rules && { rules }) } }, others);
  }
}
