import type { Call } from '../../http/call.ts';
import type { CreateOptions } from '../../http/options.ts';
import type { CreateLoginLink, LoginLink } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The login links of a member. */
export class MemberLoginLinks extends Resource {
  /**
   * Emails the member a login link. With `send: false` the link is returned instead, which requires the permission
   * `login-links:write`: anyone who has the link can log in as this member. Up to three links of a member are valid at
   * the same time.
   */
  create(memberId: string, link: CreateLoginLink = {}, options?: CreateOptions): Call<LoginLink> {
    return this.call('createMemberLoginLink', { params: { memberId }, body: link }, options);
  }
}
