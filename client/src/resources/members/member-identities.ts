import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { Identity } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The accounts at login providers with which a member logs in. */
export class MemberIdentities extends Resource {
  /** The identities of a member, newest first. */
  list(memberId: string, options?: CallOptions): Call<Identity[]> {
    return this.call('listMemberIdentities', { params: { memberId } }, options);
  }

  /** Removes an account. Sessions stay. */
  delete(memberId: string, identityId: string, options?: CallOptions): Call<void> {
    return this.call('deleteMemberIdentity', { params: { memberId, identityId } }, options);
  }

  /** Removes every account of a member. Sessions stay. */
  deleteAll(memberId: string, options?: CallOptions): Call<void> {
    return this.call('deleteMemberIdentities', { params: { memberId } }, options);
  }
}
