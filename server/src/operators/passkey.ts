import type { Timestamp } from '../base/clock.ts';

/** How long the person has to answer what the browser asks. */
export const challengeMinutes = 5;
/** What a passkey is asked to sign something for. */
export type ChallengePurpose = 'add' | 'log_in';
export const mostPasskeys = 20;
export const longestPasskeyName = 100;

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
}

export interface PasskeyRow {
  id: string;
  member_id: string;
  /** Base64url, as all of these are in WebAuthn's JSON. */
  credential_id: string;
  public_key: string;
  /** How often it signed, as it says itself; 0 for one that does not count. */
  counter: number;
  /** JSON: how the browser reaches it. */
  transports: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** What a browser has shown to hold. Plain data. */
export interface NewCredential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export function toPasskey(row: PasskeyRow): Passkey {
  return { id: row.id, name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at };
}
