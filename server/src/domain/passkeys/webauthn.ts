import type { Site } from '@gatehouse/contract';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/contract/dashboard';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { originOf } from '../sites/site.ts';
import { challengeMinutes, isUsable, type NewCredential, rpIdOf, type StoredPasskey } from './passkey.ts';

// The WebAuthn (Level 3) settings for a login with only a passkey: the browser must find the passkey itself
// (discoverable credential) and verify the user.

const timeout = challengeMinutes * 60_000;

export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
}

/** The options with which a browser creates a passkey. */
export async function registrationOptions(
  site: Site,
  owner: PasskeyOwner,
  known: readonly StoredPasskey[],
): Promise<PasskeyCreationOptions> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: site.title,
    rpID: rpIdOf(site),
    userName: owner.email,
    userDisplayName: owner.displayName ?? owner.email,
    userID: new TextEncoder().encode(owner.id),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout,
  });
  // The library's type declares fields as optional that the options above always set.
  return options as PasskeyCreationOptions;
}

/** The options with which a browser uses a passkey of any member. */
export async function loginOptions(site: Site): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await library();
  const rpID = rpIdOf(site);
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout });
  return options as PasskeyRequestOptions;
}

/** The passkey that a browser has created; undefined when verification fails. */
export async function verifyRegistration(
  site: Site,
  response: object,
  challenge: string,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: originOf(site)!,
    expectedRPID: rpIdOf(site),
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { credential, credentialBackedUp: backedUp, userVerified } = result.registrationInfo;
  const { id, publicKey, counter, transports } = credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: (transports ?? []).filter((each) => typeof each === 'string').slice(0, 10),
    rpId: rpIdOf(site),
    backedUp,
    userVerified,
  };
}

/** What a passkey reports when it signs. */
export interface PasskeyReport {
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * What a passkey reports; undefined when it cannot be used on the site, or its signature is invalid or for another challenge.
 */
export async function verifyLogin(
  site: Site,
  response: object,
  challenge: string,
  passkey: StoredPasskey,
): Promise<PasskeyReport | undefined> {
  if (!isUsable(passkey, site) || !isOf(passkey, response)) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: originOf(site)!,
    expectedRPID: rpIdOf(site),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { newCounter: counter, credentialBackedUp: backedUp } = result.authenticationInfo;
  return { counter, backedUp };
}

/** A response may name the owner that the browser has stored with the passkey (`userHandle`). */
function isOf({ memberId }: StoredPasskey, response: object): boolean {
  const { userHandle } = (response as AuthenticationResponseJSON).response ?? {};
  return !userHandle || Buffer.from(userHandle, 'base64url').toString() === memberId;
}

/** Loaded only when used, because it is not needed at the start, and often never. */
function library() {
  return import('@simplewebauthn/server');
}
