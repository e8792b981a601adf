import type { Site } from '@gatehouse/contract';
import type { Passkey, PasskeyCreationOptions } from '@gatehouse/contract/dashboard';
import { maxPasskeys } from '@gatehouse/contract/limits';
import { ApiError } from '../../base/api-error.ts';
import { timestampAfter } from '../../base/clock.ts';
import { newId, timeOfId } from '../../base/ids.ts';
import { checkName } from '../../base/text/text.ts';
import type { Queries } from '../../storage/database.ts';
import { isUniqueViolation } from '../../storage/errors.ts';
import type { SiteData } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { completeLogin, type Login, type LoginBrowser } from '../logins/login.ts';
import { lockMember } from '../members/member-lookup.ts';
import { endPasskey } from '../passkey-ends/passkey-ends.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { findSite, markHavingPasskeys } from '../sites/sites.ts';
import { findPrimarySite } from '../sites/visited-hosts.ts';
import {
  type ChallengePurpose,
  challengeMinutes,
  isUsable,
  type NewCredential,
  type PasskeyOrigin,
  passkeyRequired,
  type StoredPasskey,
  toPasskey,
} from './passkey.ts';
import {
  deleteChallenge,
  insertPasskey,
  markPasskeyUsed,
  saveChallenge,
  selectPasskey,
  selectPasskeys,
} from './passkey-store.ts';
import { type PasskeyOwner, type PasskeyReport, registrationOptions, verifyLogin } from './webauthn.ts';

export { findExpiredChallenges, purgeChallenges } from './passkey-store.ts';

export async function listPasskeys(view: SiteData, personId: string): Promise<Passkey[]> {
  return (await selectPasskeys(view, personId)).map(toPasskey);
}

/** The options with which a browser creates a passkey that the member or operator does not have yet. */
export async function offerPasskey(
  db: Queries,
  site: Site,
  owner: PasskeyOwner,
): Promise<PasskeyCreationOptions> {
  return registrationOptions(site, owner, await selectPasskeys({ db, siteId: site.id }, owner.id));
}

/** Finds the passkey that has signed a challenge; undefined when any check fails. */
export async function findSigningPasskey(
  db: Queries,
  site: Site,
  response: { readonly id: string },
  challenge: string,
): Promise<UsedPasskey | undefined> {
  const passkey = await selectPasskey({ db, siteId: site.id }, response.id);
  const report = passkey && (await verifyLogin(site, response, challenge, passkey));
  if (!report) return undefined;
  const { id, memberId: personId, rpId, userVerified } = passkey;
  return { ...report, id, personId, rpId, userVerified };
}

/** Stores the challenge that a passkey in this browser must sign next. */
export async function saveChallengeFor(
  change: Change,
  browserToken: string,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<void> {
  const expiresAt = timestampAfter(change.now, challengeMinutes * 60_000);
  await saveChallenge(change, hashToken(browserToken), { purpose, challenge, expiresAt });
}

/**
 * The challenge that a passkey in this browser must have signed; null when there is none or it has expired. It works
 * once.
 */
export async function consumeChallenge(
  change: Change,
  browserToken: string | undefined,
  purpose: ChallengePurpose,
): Promise<string | null> {
  if (!isToken(browserToken)) return null;
  return (await deleteChallenge(change, hashToken(browserToken), purpose)) ?? null;
}

/**
 * Adds a passkey that the browser has proved that it holds.
 * @param onlyFirst set if the operator must use a passkey that there is already
 * @throws {ApiError} `invalid_request`, `passkey_required`
 */
export async function addPasskey(
  change: Change,
  personId: string,
  name: string,
  credential: NewCredential,
  onlyFirst = false,
): Promise<StoredPasskey> {
  await noteFirstPasskey(change);
  await lockMember(change, personId);
  const count = (await selectPasskeys(change, personId)).length;
  if (onlyFirst && count > 0) throw passkeyRequired();
  if (count >= maxPasskeys) {
    throw new ApiError(
      'invalid_request',
      `You have ${maxPasskeys} passkeys, which is the maximum. Remove one first.`,
    );
  }
  const id = newId();
  const passkey = {
    ...credential,
    id,
    memberId: personId,
    name: checkName('name', name.trim()),
    createdAt: timeOfId(id),
    lastUsedAt: null,
  };
  await insertPasskey(change, passkey).catch((error) => {
    if (!isUniqueViolation(error, 'passkeys_credential_id')) throw error;
    throw new ApiError('invalid_request', 'This passkey is already registered. Use another one.');
  });
  const added = { id, name: passkey.name, synced: passkey.backedUp };
  const data = { memberId: personId, passkey: added };
  change.record({ type: 'member.passkey.added', memberId: personId, data });
  return passkey;
}

/** Sites are locked before members, as everywhere. */
async function noteFirstPasskey(change: Change): Promise<void> {
  if ((await findPrimarySite(change)).hasPasskeys) return;
  await markHavingPasskeys(change);
  await change.db.signal();
}

/**
 * Removes a passkey of a member or operator whose row is locked. Returns its name.
 * @throws {ApiError} `passkey_not_found`
 */
export async function deletePasskey(change: Change, personId: string, passkeyId: string): Promise<string> {
  const name = await endPasskey(change, personId, passkeyId);
  if (name !== undefined) return name;
  throw new ApiError('passkey_not_found', 'There is no passkey with this ID. Check the ID.');
}

/** A passkey with a verified signature, and what it reports. */
export interface UsedPasskey extends PasskeyReport, PasskeyOrigin {
  readonly id: string;
  readonly personId: string;
}

/**
 * Logs in the member or operator of a passkey. One that is blocked cannot be told from a wrong signature.
 * @param next the path on the site to continue to
 */
export async function logInWithPasskey(
  change: Change,
  passkey: UsedPasskey,
  next: string,
  browser: LoginBrowser,
  composer: EmailComposer,
): Promise<Login> {
  const owner = await lockMember(change, passkey.personId);
  // The site may have changed since the signature was verified.
  const works = owner?.status === 'active' && isUsable(passkey, await findSite(change));
  const name = works ? await markPasskeyUsed(change, passkey) : undefined;
  if (name === undefined) return { outcome: 'expired' };
  const proof = { method: 'passkey', next, passkey: { id: passkey.id, name } } as const;
  return completeLogin(change, owner, proof, browser, composer);
}
