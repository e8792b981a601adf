import type { Member, MemberPasskey } from '@gatehouse/contract';
import type { SiteData } from '../../storage/site-view.ts';
import type { EmailComposer, PasskeyNotice } from '../emails/email-composer.ts';
import type { Change } from '../events/change.ts';
import { notifyOfPasskey } from '../logins/passkey-notices.ts';
import { memberNotFound } from '../members/member.ts';
import { lockMember, lookUpMember } from '../members/member-lookup.ts';
import { endPasskeys } from '../passkey-ends/passkey-ends.ts';
import { findSite } from '../sites/sites.ts';
import { toMemberPasskey } from './passkey.ts';
import { selectPasskeys } from './passkey-store.ts';
import { deletePasskey } from './passkeys.ts';

/** The passkeys of a member, newest first. @throws {ApiError} `member_not_found` */
export async function listMemberPasskeys(view: SiteData, memberId: string): Promise<MemberPasskey[]> {
  if (!(await lookUpMember(view, memberId))) throw memberNotFound();
  const stored = await selectPasskeys(view, memberId);
  if (stored.length === 0) return [];
  const site = await findSite(view);
  return stored.map((passkey) => toMemberPasskey(passkey, site));
}

/** Removes a passkey of a member, who gets an email about it. @throws {ApiError} `member_not_found`, `passkey_not_found` */
export async function deleteMemberPasskey(
  change: Change,
  memberId: string,
  passkeyId: string,
  composer: EmailComposer,
): Promise<void> {
  const member = await requireMember(change, memberId);
  const name = await deletePasskey(change, memberId, passkeyId);
  await notify(change, member, { type: 'passkey_removed', name }, composer);
}

/** Removes every passkey of a member, who gets an email about it. @throws {ApiError} `member_not_found` */
export async function deleteMemberPasskeys(
  change: Change,
  memberId: string,
  composer: EmailComposer,
): Promise<void> {
  const member = await requireMember(change, memberId);
  if ((await endPasskeys(change, [memberId], 'removed')) === 0) return;
  await notify(change, member, { type: 'passkey_removed', name: null }, composer);
}

async function requireMember(change: Change, memberId: string): Promise<Member> {
  const member = await lockMember(change, memberId);
  if (!member) throw memberNotFound();
  return member;
}

/** In the first language of the site: that of the member is not known. */
async function notify(
  change: Change,
  member: Member,
  notice: PasskeyNotice,
  composer: EmailComposer,
): Promise<void> {
  const site = await findSite(change);
  await notifyOfPasskey(change, site, member, notice, site.languages[0]!, composer);
}
