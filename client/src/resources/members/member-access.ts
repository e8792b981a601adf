import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { RuleDecision } from '../../types.ts';
import { Resource } from '../resource.ts';

/** What a member has access to. */
export class MemberAccess extends Resource {
  /**
   * Every access rule, with whether the member meets its requirements. Requires the permissions `members:read` and
   * `site:read`.
   */
  list(memberId: string, options?: CallOptions): Call<RuleDecision[]> {
    return this.call('listMemberAccess', { params: { memberId } }, options);
  }
}
