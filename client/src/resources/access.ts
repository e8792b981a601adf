import type { Call } from '../http/call.ts';
import type { CallOptions } from '../http/options.ts';
import type { AccessCheck, AccessDecision } from '../types.ts';
import { Resource } from './resource.ts';

/** Access checks. */
export class Access extends Resource {
  /**
   * Decides up to 100 checks of the form "does this member have access to this path", in the given order, in the same
   * way as the gate. Changes nothing.
   */
  check(checks: readonly AccessCheck[], options?: CallOptions): Call<AccessDecision[]> {
    return this.call('checkAccess', { body: { checks } }, options);
  }
}
