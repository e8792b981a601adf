import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import type { AccountKey } from '../identities/identity.ts';

const providerLoginMinutes = 10;
/** How long somebody can confirm an account after a login by email, which may take its time. */
const pendingIdentityMinutes = 60;
/** Logins that one browser can have begun at the same time. */
export const maxLoginsOfBrowser = 5;
/** Characters of a code, a state or an error that a provider posts. Longer ones are of no provider. */
export const maxParameterLength = 2_000;

/** A login that has begun at a provider, in one browser. */
export interface ProviderLogin {
  readonly stateHash: string;
  readonly browserHash: string;
  readonly providerId: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly next: string;
  readonly language: string;
  /** The member who links the account, and in which session; null for a login. */
  readonly memberId: string | null;
  readonly sessionId: string | null;
  /** The code of a provider that sends it without the cookies of the site; null until then, and for all others. */
  readonly code: string | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export function providerLoginEnd(now: Timestamp): Timestamp {
  return timestampAfter(now, providerLoginMinutes * 60_000);
}

/** An account that a browser may link after a login by email. */
export interface PendingIdentity extends AccountKey {
  readonly browserHash: string;
  readonly providerId: string;
  /** The address that the provider named, and for which it did not vouch. */
  readonly email: string;
  readonly label: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export function pendingIdentityEnd(now: Timestamp): Timestamp {
  return timestampAfter(now, pendingIdentityMinutes * 60_000);
}
