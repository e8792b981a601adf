import type { Site } from '@gatehouse/contract';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { originOf } from '../sites/site.ts';
import { challengeMinutes, type NewCredential, type PasskeyRow } from './passkey.ts';

// What WebAuthn (Level 3) asks of a server that people log in to with nothing but a passkey: one that the browser finds
// by itself, and that makes sure of the person.

const timeout = challengeMinutes * 60_000;

/** What the browser needs to make a passkey. */
export async function registrationOptions(
  realm: Site,
  operator: { readonly id: string; readonly email: string; readonly displayName: string | null },
  known: readonly PasskeyRow[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: realm.title,
    rpID: idOf(realm),
    userName: operator.email,
    userDisplayName: operator.displayName ?? operator.email,
    userID: new TextEncoder().encode(operator.id),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout,
  });
}

/** What the browser needs to use a passkey, whosever it is. */
export async function loginOptions(realm: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({ rpID: idOf(realm), userVerification: 'required', timeout });
}

/** The passkey that a browser has made; undefined where what it says does not hold. */
export async function verifyRegistration(
  realm: Site,
  response: object,
  challenge: string,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: originOf(realm)!,
    expectedRPID: idOf(realm),
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!result?.verified) return undefined;
  const { id, publicKey, counter, transports } = result.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: (transports ?? []).filter((each) => typeof each === 'string').slice(0, 10),
  };
}

/** How often a passkey says that it signed; undefined where its signature is not right, or not for this challenge. */
export async function verifyLogin(
  realm: Site,
  response: object,
  challenge: string,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: originOf(realm)!,
    expectedRPID: idOf(realm),
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

/** Nobody needs it in the first moment, and most never. */
function library() {
  return import('@simplewebauthn/server');
}

function idOf(realm: Site): string {
  return new URL(originOf(realm)!).hostname;
}
