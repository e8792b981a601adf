import type { Passkey } from '@gatehouse/contract/dashboard';
import { ApiError } from '../../base/api-error.ts';

/** How long a user has to confirm the browser's prompt. */
export const challengeMinutes = 5;
/** The purpose of a signature. */
export type ChallengePurpose = 'add' | 'log_in';
export const maxPasskeys = 20;

/** Base64url, as these values are in the JSON of WebAuthn. */
export interface Credential {
  readonly credentialId: string;
  readonly publicKey: string;
  /** The signature counter that the passkey reports; 0 for a passkey without one. */
  readonly counter: number;
  /** The host that it was made for (its RP ID); null for one that was added before this was stored. */
  readonly rpId: string | null;
  /** Whether the user was verified when it was added. */
  readonly userVerified: boolean;
}

/** A passkey of a member, with the credential by which it is verified. */
export interface StoredPasskey extends Passkey, Credential {
  readonly memberId: string;
}

/** A credential that a browser has proved that it holds. Plain data. */
export interface NewCredential extends Credential {
  /** How the browser can reach the passkey. */
  readonly transports: readonly string[];
  /** Whether it is synchronized between devices. */
  readonly backedUp: boolean;
}

export function toPasskey({ id, name, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return { id, name, createdAt, lastUsedAt };
}

/** The error for an operator who has to use a passkey. */
export function passkeyRequired(): ApiError {
  return new ApiError(
    'passkey_required',
    'Operators of this installation need a passkey. Log in to the dashboard with your passkey; without one, log in by email and add one there.',
  );
}
