import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type { MemberPasskey } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The passkeys with which a member logs in without an email. */
export class MemberPasskeys extends Resource {
  /** The passkeys of a member, newest first. */
  list(memberId: string, options?: CallOptions): Call<MemberPasskey[]> {
    return this.call('listMemberPasskeys', { params: { memberId } }, options);
  }

  /** Removes a passkey. The member gets an email about it. */
  delete(memberId: string, passkeyId: string, options?: CallOptions): Call<void> {
    return this.call('deleteMemberPasskey', { params: { memberId, passkeyId } }, options);
  }

  /** Removes every passkey of a member, who gets an email about it. */
  deleteAll(memberId: string, options?: CallOptions): Call<void> {
    return this.call('deleteMemberPasskeys', { params: { memberId } }, options);
  }
}
