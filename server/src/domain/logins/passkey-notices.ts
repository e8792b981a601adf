import type { Member, Site } from '@gatehouse/contract';
import type { EmailComposer, PasskeyNotice } from '../emails/email-composer.ts';
import { countRecentEmails, queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { accountUrl } from '../sites/site-addresses.ts';

/** In 24 hours, of each kind: someone who has taken over a session must not fill the mailbox. */
const maxNotices = 20;

/** Notifies a member by email about a passkey that was added or removed, if the site has a domain. */
export async function notifyOfPasskey(
  change: Change,
  site: Site,
  { id: memberId, email }: Pick<Member, 'id' | 'email'>,
  notice: PasskeyNotice,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { type } = notice;
  const origin = originOf(site);
  if (origin === null || (await countRecentEmails(change, memberId, type)) >= maxNotices) return;
  const composed = composer.passkeyEmail(
    { site, language },
    { notice, url: accountUrl(site), email, origin },
  );
  await queueNotice(change, { type, recipient: email, memberId }, site, composed);
}
