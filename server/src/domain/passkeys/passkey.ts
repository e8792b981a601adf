import type { Passkey } from '@gatehouse/contract/dashboard';
import { ApiError } from '../../base/api-error.ts';

/** How long a user has to confirm the browser's prompt. */
export const challengeMinutes = 5;
/** The purpose of a signature. */
export type ChallengePurpose = 'add' | 'log_in';
export const maxPasskeys = 20;

export interface PasskeyRow {
  id: string;
  member_id: string;
  /** Base64url, as all of these values are in WebAuthn's JSON. */
  credential_id: string;
  public_key: string;
  /** The signature counter that the passkey reports; 0 for a passkey without one. */
  counter: number;
  /** JSON: how the browser can reach the passkey. */
  transports: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** A credential that a browser has proved that it holds. Plain data. */
export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export function toPasskey(row: PasskeyRow): Passkey {
  return { id: row.id, name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at };
}

/** The error for an operator who has to use a passkey. */
export function passkeyRequired(): ApiError {
  return new ApiError(
    'passkey_required',
    'Operators of this installation need a passkey. Log in to the dashboard with your passkey; without one, log in by email and add one there.',
  );
}
