import type { Member } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { newId } from '../../base/ids.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { framesForMembers } from '../email-texts/email-texts.ts';
import { addressCodeBudgets } from '../emails/email-budget.ts';
import { lockEmailBudgets } from '../emails/email-budgets.ts';
import type { EmailComposer, EmailContext } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { removeIdentities } from '../identities/identities.ts';
import { hashCode, isSameHash, readCode } from '../login-links/login-code.ts';
import { lockMember, lookUpMemberByEmail } from '../members/member-lookup.ts';
import { readEmail, requireValid } from '../members/member-values.ts';
import { updateMember } from '../members/members.ts';
import { lockOwnMember } from '../own-account/own-session.ts';
import { endPasskeys } from '../passkey-ends/passkey-ends.ts';
import { isRecentLoginByEmail, type StoredSession } from '../sessions/session.ts';
import { generateToken, hashToken, isToken } from '../sessions/token.ts';
import { originOf } from '../sites/site.ts';
import { addressReversalUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import {
  type AddressChange,
  type AddressReversal,
  addressCodeEnd,
  addressCodeMinutes,
  maxAddressCodeTries,
  reversalDays,
  reversalEnd,
} from './address-change.ts';
import {
  countTry,
  deleteChange,
  deleteReversalsFrom,
  insertReversal,
  saveChange,
  selectChange,
  selectNewestReversal,
  selectReversal,
} from './address-change-store.ts';

export {
  findExpiredAddressChanges,
  findExpiredReversals,
  purgeAddressChanges,
  purgeReversals,
} from './address-change-store.ts';

export interface AddressRequest {
  /** The new address, as it was entered. */
  readonly email: string;
  /** To be entered in the browser of the session. */
  readonly code: string;
  readonly sessionToken: string;
  readonly language: string;
}

export type AddressRequestOutcome = 'requested' | 'own_address' | 'login_not_recent';

/**
 * Sends a code to the address to which a member wants to change. An address of another member gets a notice instead.
 * The same statements run for both, so that neither the response nor its time tells who is a member.
 * @throws {ApiError} `logged_out`, `invalid_request`
 */
export async function requestAddressChange(
  own: Change,
  session: StoredSession,
  { email: entered, code, sessionToken, language }: AddressRequest,
  { composer, limits }: EmailContext,
): Promise<AddressRequestOutcome> {
  const email = requireValid(readEmail(entered));
  const member = await lockOwnMember(own, session);
  if (!isRecentLoginByEmail(session, own.now)) return 'login_not_recent';
  if (email === member.email) return 'own_address';
  const owner = await lookUpMemberByEmail(own, email);
  const budgeted = { at: own.now, budgets: addressCodeBudgets(member.id, email, limits), memberId: null };
  const budgets = await lockEmailBudgets(own, [budgeted]);
  const usedUp = budgets.findUsedUp(budgeted);
  if (usedUp) budgets.withhold(budgeted, usedUp);
  else budgets.charge(budgeted);
  own.record(...(await budgets.save()));
  const site = await findSite(own);
  const origin = originOf(site);
  const isSent = !usedUp && origin !== null;
  await saveChange(own, {
    sessionId: session.id,
    memberId: member.id,
    email,
    // Without the email there is no code that works.
    codeHash: isSent && !owner ? hashCode(code, sessionToken) : hashToken(generateToken()),
    tries: 0,
    createdAt: own.now,
    expiresAt: addressCodeEnd(own.now),
  });
  if (isSent) {
    const content = { code: owner ? null : code, minutes: addressCodeMinutes, email, origin };
    // Only the owner of the address is a member who reads this.
    const frame = owner ? (await framesForMembers(own))(site, language, owner) : { site, language };
    const composed = composer.addressCodeEmail(frame, content);
    const recipient = { type: 'address_code', recipient: email, memberId: (owner ?? member).id } as const;
    await queueNotice(own, recipient, site, composed);
  }
  return 'requested';
}

/** A change that waits for its code in a session. */
export function findAddressChange(view: SiteView, sessionId: string): Promise<AddressChange | undefined> {
  return selectChange(view, sessionId);
}

export interface AddressConfirmation {
  readonly typed: string;
  readonly sessionToken: string;
  readonly deviceCookie: string | null;
  readonly keepsPasskeys: boolean;
  /** Those are the accounts at login providers. */
  readonly keepsIdentities: boolean;
  readonly language: string;
}

export type AddressConfirmationOutcome = 'changed' | 'wrong_code' | 'expired';

/**
 * Changes the address of a member with the code that was sent to it. Everything else that gives access ends: other
 * sessions, access tokens, links and known browsers. The former address gets a link that takes the change back. An
 * address that another member has got meanwhile is answered like a wrong code.
 * @throws {ApiError} `logged_out`
 */
export async function confirmAddressChange(
  own: Change,
  session: StoredSession,
  confirmation: AddressConfirmation,
  composer: EmailComposer,
): Promise<AddressConfirmationOutcome> {
  const { typed, sessionToken } = confirmation;
  const member = await lockOwnMember(own, session);
  const code = readCode(typed);
  // A text that cannot be a code is a typing error and does not count as an attempt.
  if (code === undefined) return (await selectChange(own, session.id)) ? 'wrong_code' : 'expired';
  const wanted = await countTry(own, session.id, maxAddressCodeTries);
  if (!wanted) return 'expired';
  const isRight = isSameHash(hashCode(code, sessionToken), wanted.codeHash);
  if (isRight && (await storeAddress(own, member, session, wanted, confirmation))) {
    await sendWayBack(own, member, wanted.email, confirmation.language, composer);
    return 'changed';
  }
  return wanted.tries >= maxAddressCodeTries ? 'expired' : 'wrong_code';
}

/** Returns false when the address belongs to another member. */
async function storeAddress(
  own: Change,
  { id }: Member,
  session: StoredSession,
  { email }: AddressChange,
  { deviceCookie, keepsPasskeys, keepsIdentities }: AddressConfirmation,
): Promise<boolean> {
  const browser = { deviceCookie, sessionId: session.id };
  const isStored = await unlessTaken(own, () => updateMember(own, id, { email }, () => {}, browser));
  if (!isStored) return false;
  await deleteChange(own, session.id);
  if (!keepsPasskeys) await endPasskeys(own, [id], 'email_changed');
  if (!keepsIdentities) await removeIdentities(own, [id], 'email_changed');
  return true;
}

async function sendWayBack(
  own: Change,
  member: Member,
  newEmail: string,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { id: memberId, email: oldEmail } = member;
  const token = generateToken();
  const { now } = own;
  const reversal = { id: newId(), memberId, oldEmail, newEmail, changedAt: now, expiresAt: reversalEnd(now) };
  await insertReversal(own, reversal, hashToken(token));
  const site = await findSite(own);
  const origin = originOf(site);
  if (origin === null) return;
  const content = { url: addressReversalUrl(site, token), days: reversalDays, email: oldEmail, origin };
  const frame = (await framesForMembers(own))(site, language, member);
  const composed = composer.addressChangedEmail(frame, content);
  await queueNotice(own, { type: 'address_changed', recipient: oldEmail, memberId }, site, composed);
}

/**
 * A change that can be taken back. Undefined when the link has ended: also when somebody else than the member has
 * changed the address since.
 */
export async function findReversal(view: SiteView, token: string): Promise<AddressReversal | undefined> {
  return isToken(token) ? selectReversal(view, hashToken(token)) : undefined;
}

/**
 * Gives a member the former address back, with the link that was sent there, also after later changes by the member.
 * Every session ends, and every passkey and account is removed. It works for a blocked member too, because it logs nobody
 * in. Returns false when the link does not work.
 */
export async function takeBackAddress(change: Change, token: string): Promise<boolean> {
  const found = await findReversal(change, token);
  const member = found && (await lockMember(change, found.memberId));
  // Read again: the link may have been used while the row of the member was locked.
  const reversal = member && (await findReversal(change, token));
  if (!reversal) return false;
  const newest = await selectNewestReversal(change, member.id);
  // The address that an operator has set stays.
  if (newest?.newEmail !== member.email) return false;
  const own = change.as({ type: 'member', id: member.id, name: member.displayName });
  const email = reversal.oldEmail;
  // Every passkey and account ends too: somebody else may have added some before, in the session that changed the address.
  const isStored = await unlessTaken(own, () => updateMember(own, member.id, { email }));
  if (!isStored) return false;
  await deleteReversalsFrom(own, reversal);
  return true;
}

/** Runs a change of address on its own. Returns false when the address belongs to another member. */
async function unlessTaken(change: Change, update: () => Promise<unknown>): Promise<boolean> {
  try {
    await change.savepoint(update);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'email_taken') return false;
    throw error;
  }
}
