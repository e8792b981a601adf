import type { MemberPasskey, Site } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { EmailComposer } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { notifyOfPasskey } from '../logins/passkey-notices.ts';
import { lockOwnMember } from '../own-account/own-session.ts';
import { endPasskeys } from '../passkey-ends/passkey-ends.ts';
import { isRecentLoginByEmail, recentLoginMinutes, type StoredSession } from '../sessions/session.ts';
import { findSession } from '../sessions/sessions.ts';
import { findSite } from '../sites/sites.ts';
import { findPrimarySite } from '../sites/visited-hosts.ts';
import { isUsable, type NewCredential, offersPasskeys, toMemberPasskey } from './passkey.ts';
import { insertOffer, selectOfferTime, selectPasskeys } from './passkey-store.ts';
import { addPasskey, deletePasskey } from './passkeys.ts';

/** The passkeys of a member for the own account page at an address of the site, newest first. */
export async function listOwnPasskeys(
  view: SiteData,
  site: Site,
  memberId: string,
): Promise<MemberPasskey[]> {
  return (await selectPasskeys(view, memberId)).map((passkey) => toMemberPasskey(passkey, site));
}

export interface NewOwnPasskey {
  readonly name: string;
  readonly credential: NewCredential;
  readonly language: string;
}

/**
 * Adds a passkey of the member of a session, which must be a recent login by email, and tells the member by email.
 * @throws {ApiError} `logged_out`, `permission_denied`, `login_not_recent`, `invalid_request`
 */
export async function addOwnPasskey(
  own: Change,
  session: StoredSession,
  { name, credential, language }: NewOwnPasskey,
  composer: EmailComposer,
): Promise<MemberPasskey> {
  const site = await findSite(own);
  if (!isUsable(credential, site)) {
    throw new ApiError('permission_denied', 'This site has no passkeys at this host.');
  }
  if (!isRecentLoginByEmail(session, own.now)) {
    throw new ApiError(
      'login_not_recent',
      `Passkeys can be added within ${recentLoginMinutes} minutes of a login by email. Log in by email again.`,
    );
  }
  const passkey = await addPasskey(own, session.memberId, name, credential);
  const member = await lockOwnMember(own, session);
  const notice = { type: 'new_passkey', name: passkey.name } as const;
  await notifyOfPasskey(own, site, member, notice, language, composer);
  return toMemberPasskey(passkey, site);
}

/** Removes a passkey of the member of a session, and tells the member by email. @throws {ApiError} `logged_out`, `passkey_not_found` */
export async function deleteOwnPasskey(
  own: Change,
  session: StoredSession,
  passkeyId: string,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const member = await lockOwnMember(own, session);
  const name = await deletePasskey(own, member.id, passkeyId);
  const notice = { type: 'passkey_removed', name } as const;
  await notifyOfPasskey(own, await findSite(own), member, notice, language, composer);
}

/** Removes every passkey of the member of a session, and tells the member by email. @throws {ApiError} `logged_out` */
export async function deleteOwnPasskeys(
  own: Change,
  session: StoredSession,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const member = await lockOwnMember(own, session);
  if ((await endPasskeys(own, [member.id], 'removed')) === 0) return;
  const notice = { type: 'passkey_removed', name: null } as const;
  await notifyOfPasskey(own, await findSite(own), member, notice, language, composer);
}

/** Whether the member of a session was asked at an earlier login to add a passkey. */
export async function wasOfferedPasskey(view: SiteView, sessionToken: string): Promise<boolean> {
  const session = await findSession(view, sessionToken);
  const offeredAt = session && (await selectOfferTime(view, session.memberId));
  return offeredAt !== undefined && offeredAt < session!.createdAt;
}

/**
 * Whether a member who has just logged in by email is to be asked to add a passkey. A member without passkeys is asked
 * once, and again in the same session: a browser that sends its form twice drops the first response.
 * @throws {ApiError} `logged_out`
 */
export async function consumePasskeyOffer(own: Change, session: StoredSession): Promise<boolean> {
  const site = await findPrimarySite(own);
  if (!offersPasskeys(site) || !isRecentLoginByEmail(session, own.now)) return false;
  const { id } = await lockOwnMember(own, session);
  if (site.hasPasskeys && (await selectPasskeys(own, id)).length > 0) return false;
  const offeredAt = await selectOfferTime(own, id);
  if (offeredAt === undefined) await insertOffer(own, id);
  return offeredAt === undefined || offeredAt >= session.createdAt;
}
