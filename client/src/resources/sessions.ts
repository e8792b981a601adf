import type { Call } from '../http/call.ts';
import type { CallOptions } from '../http/options.ts';
import type { EndedSessions, VerifiedSession, VerifySession } from '../types.ts';
import { Resource } from './resource.ts';
import { seal, unseal } from './seal.ts';

/** Session verification, for programs that serve pages themselves. */
export class Sessions extends Resource {
  /**
   * Identifies a visitor by the value of the session cookie and checks access to a path. A token without an active
   * session means an anonymous visitor, not an error. Call it for every request: the result changes as soon as a member
   * is blocked.
   */
  verify(visit: VerifySession, options?: CallOptions): Call<VerifiedSession> {
    return this.call('verifySession', { body: visit }, options);
  }

  /** Logs all members of the site out and closes open login links. Returns how many sessions have ended. */
  revokeAll(options?: CallOptions): Call<EndedSessions> {
    return this.call('revokeSessions', {}, options);
  }

  /** @internal */
  seal(visitor: VerifiedSession): Promise<string> {
    return seal(this.connection.key, visitor);
  }

  /** @internal */
  unseal(sealed: string): Promise<VerifiedSession | undefined> {
    return unseal(this.connection.key, sealed);
  }
}
