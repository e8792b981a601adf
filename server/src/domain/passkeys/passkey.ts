import type { MemberPasskey, Site } from '@gatehouse/contract';
import type { Passkey } from '@gatehouse/contract/dashboard';
import { ApiError } from '../../base/api-error.ts';
import { loginSurfaceOf, originOf } from '../sites/site.ts';

/** How long a user has to confirm the browser's prompt. */
export const challengeMinutes = 5;
/** The purpose of a signature. */
export type ChallengePurpose = 'add' | 'log_in';

/** How a passkey was made. */
export interface PasskeyOrigin {
  /** The host that it was made for (its RP ID); null for one that was added before this was stored. */
  readonly rpId: string | null;
  /** Whether the user was verified when it was added. */
  readonly userVerified: boolean;
}

/** Base64url, as these values are in the JSON of WebAuthn. */
export interface Credential extends PasskeyOrigin {
  readonly credentialId: string;
  readonly publicKey: string;
  /** The signature counter that the passkey reports; 0 for a passkey without one. */
  readonly counter: number;
}

/** A passkey of a member, with the credential by which it is verified. */
export interface StoredPasskey extends Passkey, Credential {
  readonly memberId: string;
  /** Whether it is synchronized between devices, as it last reported. */
  readonly backedUp: boolean;
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

export function toMemberPasskey(stored: StoredPasskey, site: Site): MemberPasskey {
  return { ...toPasskey(stored), synced: stored.backedUp, disabled: !isUsable(stored, site) };
}

/**
 * Whether passkeys can be added and used at an address: by operators, and by members at the primary host of a site that has
 * https.
 */
export function offersPasskeys(site: Site): boolean {
  if (loginSurfaceOf(site) === 'operators') return true;
  const { allowsPasskeys, scheme, domain, hosts } = site;
  return allowsPasskeys && scheme === 'https' && domain !== null && domain === hosts[0]?.domain;
}

/** The RP ID of a site that has a domain: the name of its host, also where others of the same domain exist. */
export function rpIdOf(site: Site): string {
  return new URL(originOf(site)!).hostname;
}

/**
 * Whether a passkey can be used: the site has the host for which it was made, and the user was verified when it was added,
 * because a later verification may be that of someone else.
 */
export function isUsable({ rpId, userVerified }: PasskeyOrigin, site: Site): boolean {
  return offersPasskeys(site) && (rpId ?? rpIdOf(site)) === rpIdOf(site) && userVerified;
}

/** The error for an operator who has to use a passkey. */
export function passkeyRequired(): ApiError {
  return new ApiError(
    'passkey_required',
    'Operators of this installation need a passkey. Log in to the dashboard with your passkey; without one, log in by email and add one there.',
  );
}
