import type { Cause } from '../base/cause.ts';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import { newId, timeOfId } from '../base/ids.ts';
import { Refusal } from '../base/refusal.ts';
import { checkName } from '../base/text.ts';
import { hashToken, isToken } from '../credentials/token.ts';
import { type Login, type LoginBrowser, letMemberIn } from '../login/login.ts';
import { lockMemberRow } from '../members/member-store.ts';
import { realmOf } from '../sites/realm.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { tellSites } from './operators.ts';
import { findOperatorsRealm } from './operators-realm.ts';
import {
  type ChallengePurpose,
  challengeMinutes,
  longestPasskeyName,
  mostPasskeys,
  type NewCredential,
  type Passkey,
  type PasskeyRow,
  toPasskey,
} from './passkey.ts';
import {
  deletePasskeyRow,
  insertPasskey,
  markPasskeyUsed,
  saveChallenge,
  selectPasskeys,
  takeChallenge,
} from './passkey-store.ts';

export async function listPasskeys(db: Queries, realmId: string, operatorId: string): Promise<Passkey[]> {
  return (await selectPasskeys(db, realmId, operatorId)).map(toPasskey);
}

/** Remembers what a passkey in this browser has to sign next. */
export async function keepChallenge(
  tx: Transaction,
  realmId: string,
  browserToken: string,
  purpose: ChallengePurpose,
  challenge: string,
  at: Timestamp,
): Promise<void> {
  const expiresAt = timestampBefore(at, -challengeMinutes * 60_000);
  await saveChallenge(tx, realmId, hashToken(browserToken), purpose, challenge, expiresAt);
}

/** What a passkey in this browser has to have signed; null where it was not asked for, or too long ago. It works once. */
export async function consumeChallenge(
  tx: Transaction,
  realmId: string,
  browserToken: string | undefined,
  purpose: ChallengePurpose,
  now: Timestamp,
): Promise<string | null> {
  if (!isToken(browserToken)) return null;
  return (await takeChallenge(tx, realmId, hashToken(browserToken), purpose, now)) ?? null;
}

/** Adds a passkey that the browser has shown to hold. @throws Refusal `invalid_request` */
export async function addPasskey(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  name: string,
  credential: NewCredential,
  cause: Cause,
): Promise<Passkey> {
  await lockMemberRow(tx, realmId, operatorId);
  const count = (await selectPasskeys(tx, realmId, operatorId)).length;
  if (count >= mostPasskeys) {
    throw new Refusal(
      'invalid_request',
      `You have ${mostPasskeys} passkeys, and there can be no more. Remove one first.`,
    );
  }
  const id = newId();
  const row: PasskeyRow = {
    id,
    member_id: operatorId,
    credential_id: credential.credentialId,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: JSON.stringify(credential.transports),
    name: checkName('name', name.trim(), longestPasskeyName),
    created_at: timeOfId(id),
    last_used_at: null,
  };
  await insertPasskey(tx, realmId, row).catch((error) => {
    if (!isUniqueViolation(error, 'passkeys_credential_id')) throw error;
    throw new Refusal('invalid_request', 'This passkey is known already. Use another one.');
  });
  await tellCount(tx, realmId, operatorId, count, count + 1, cause);
  return toPasskey(row);
}

/** @throws Refusal `not_found` */
export async function deletePasskey(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  passkeyId: string,
  cause: Cause,
): Promise<void> {
  await lockMemberRow(tx, realmId, operatorId);
  if (await deletePasskeyRow(tx, realmId, operatorId, passkeyId)) {
    const count = (await selectPasskeys(tx, realmId, operatorId)).length;
    return tellCount(tx, realmId, operatorId, count + 1, count, cause);
  }
  throw new Refusal('not_found', 'You have no passkey with this id. Check the id.');
}

/** A passkey whose signature was found right, and how often it says that it signed. */
export interface UsedPasskey {
  readonly id: string;
  readonly operatorId: string;
  readonly counter: number;
}

/** Lets in whom a passkey belongs to. */
export async function logInWithPasskey(
  tx: Transaction,
  realmId: string,
  { id, operatorId, counter }: UsedPasskey,
  browser: LoginBrowser,
  cause: Cause,
): Promise<Login> {
  const operator = await lockMemberRow(tx, realmId, operatorId);
  if (operator?.status !== 'active') return { outcome: 'dead' };
  if (!(await markPasskeyUsed(tx, realmId, id, counter, cause.at))) return { outcome: 'dead' };
  const cookies = await letMemberIn(tx, realmId, operator, 'passkey', browser, cause);
  return { outcome: 'in', cookies, next: realmOf(await findOperatorsRealm(tx)).front };
}

/** A passkey is a way in of its own: each site of the operator is told that there is one more, or one less. */
function tellCount(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  from: number,
  to: number,
  cause: Cause,
): Promise<void> {
  return tellSites(tx, realmId, operatorId, { field: 'passkeys', from: String(from), to: String(to) }, cause);
}
