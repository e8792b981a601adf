import type { Site } from '@gatehouse/contract';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/contract/dashboard';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { originOf } from '../sites/site.ts';
import { challengeMinutes, type NewCredential, type StoredPasskey } from './passkey.ts';

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
  tenant: Site,
  operator: PasskeyOwner,
  known: readonly StoredPasskey[],
): Promise<PasskeyCreationOptions> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: tenant.title,
    rpID: idOf(tenant),
    userName: operator.email,
    userDisplayName: operator.displayName ?? operator.email,
    userID: new TextEncoder().encode(operator.id),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout,
  });
  // The library's type declares fields as optional that the options above always set.
  return options as PasskeyCreationOptions;
}

/** The options with which a browser uses a passkey of any operator. */
export async function loginOptions(tenant: Site): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await library();
  const rpID = idOf(tenant);
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout });
  return options as PasskeyRequestOptions;
}

/** The passkey that a browser has created; undefined when verification fails. */
export async function verifyRegistration(
  tenant: Site,
  response: object,
  challenge: string,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: originOf(tenant)!,
    expectedRPID: idOf(tenant),
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
    rpId: idOf(tenant),
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
 * What a passkey reports; undefined when its signature is invalid or is for another challenge, when the site has had another
 * host when it was added, or when the user was not verified then: a later verification may be that of someone else.
 */
export async function verifyLogin(
  tenant: Site,
  response: object,
  challenge: string,
  passkey: StoredPasskey,
): Promise<PasskeyReport | undefined> {
  if ((passkey.rpId ?? idOf(tenant)) !== idOf(tenant) || !passkey.userVerified) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: originOf(tenant)!,
    expectedRPID: idOf(tenant),
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

/** Loaded only when used, because it is not needed at the start, and often never. */
function library() {
  return import('@simplewebauthn/server');
}

function idOf(tenant: Site): string {
  return new URL(originOf(tenant)!).hostname;
}
