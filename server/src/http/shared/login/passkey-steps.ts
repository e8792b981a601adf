import type { Site } from '@gatehouse/contract';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/contract/dashboard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import { challengeMinutes, type NewCredential } from '../../../domain/passkeys/passkey.ts';
import { findSigningPasskey, offerPasskey, type UsedPasskey } from '../../../domain/passkeys/passkeys.ts';
import { loginOptions, type PasskeyOwner, verifyRegistration } from '../../../domain/passkeys/webauthn.ts';
import type { ActionInput, ActionName, ActionResult } from '../../../runtime/call.ts';
import type { Queries } from '../../../storage/database.ts';
import { browserTokenOf, setCookie } from '../requests/page-cookies.ts';

// The steps of WebAuthn between a browser and Gatehouse, for members and operators. Signatures are verified outside of
// transactions, because the library takes a while to load.

/** Runs an action, and throws errors in the form that the caller needs. */
export type Act = <Name extends ActionName>(
  action: Name,
  input: ActionInput<Name>,
) => Promise<ActionResult<Name>>;

/** Where a step takes place: a site that offers passkeys at this address (`offersPasskeys`). */
export interface PasskeyStep {
  readonly act: Act;
  readonly db: Queries;
  readonly site: Site;
}

/** The options with which the browser of a session creates a passkey. */
export async function beginPasskey(
  { act, db, site }: PasskeyStep,
  sessionToken: string,
  owner: PasskeyOwner,
): Promise<PasskeyCreationOptions> {
  const options = await offerPasskey(db, site, owner);
  const { challenge } = options;
  await act('saveChallengeFor', { browserToken: sessionToken, purpose: 'add', challenge });
  return options;
}

/** The passkey that the browser of a session has created; undefined when a check fails. A challenge works once. */
export async function readNewPasskey(
  { act, site }: PasskeyStep,
  sessionToken: string,
  response: object,
): Promise<NewCredential | undefined> {
  const challenge = await act('consumeChallenge', { browserToken: sessionToken, purpose: 'add' });
  return challenge === null ? undefined : verifyRegistration(site, response, challenge);
}

/** The options with which a browser uses a passkey. They are the same for everyone, so that they tell nothing of members. */
export async function beginPasskeyLogin(
  { act, site }: PasskeyStep,
  browserToken: string,
): Promise<PasskeyRequestOptions> {
  const options = await loginOptions(site);
  const { challenge } = options;
  await act('saveChallengeFor', { browserToken, purpose: 'log_in', challenge });
  return options;
}

/** As `beginPasskeyLogin`, for the browser of a request, which gets a token if it has none. */
export async function beginPasskeyLoginIn(
  step: PasskeyStep,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PasskeyRequestOptions> {
  const { token, isNew } = browserTokenOf(request, step.site);
  const options = await beginPasskeyLogin(step, token);
  if (isNew) setCookie(reply, 'login', step.site, token, challengeMinutes * 60);
  return options;
}

/** The passkey that a browser has used; undefined when a check fails. A challenge works once. */
export async function readUsedPasskey(
  { act, db, site }: PasskeyStep,
  browserToken: string | undefined,
  response: { readonly id: string },
): Promise<UsedPasskey | undefined> {
  const challenge = await act('consumeChallenge', { browserToken, purpose: 'log_in' });
  return challenge === null ? undefined : findSigningPasskey(db, site, response, challenge);
}

/** One error for every failed check, so that an attacker learns nothing by trying. */
export function passkeyNotAccepted(): ApiError {
  return new ApiError('invalid_request', 'This passkey was not accepted. Try again, or log in by email.');
}
