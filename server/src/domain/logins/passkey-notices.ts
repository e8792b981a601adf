import type { Member, Site } from '@gatehouse/contract';
import { framesForMembers } from '../email-texts/email-texts.ts';
import type { EmailComposer, PasskeyNotice } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { accountUrl } from '../sites/site-addresses.ts';
import { hasTooManyNotices } from './notice-limit.ts';

/** Notifies a member by email about a passkey that was added or removed, if the site has a domain. */
export async function notifyOfPasskey(
  change: Change,
  site: Site,
  member: Member,
  notice: PasskeyNotice,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { id: memberId, email } = member;
  const { type } = notice;
  const origin = originOf(site);
  if (origin === null || (await hasTooManyNotices(change, memberId, type))) return;
  const frame = (await framesForMembers(change))(site, language, member);
  const composed = composer.passkeyEmail(frame, { notice, url: accountUrl(site), email, origin });
  await queueNotice(change, { type, recipient: email, memberId }, site, composed);
}
