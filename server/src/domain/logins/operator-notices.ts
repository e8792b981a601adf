import type { Member } from '@gatehouse/contract';
import type { EmailComposer, OperatorNotice } from '../emails/email-composer.ts';
import { countRecentEmails, queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { operatorAccountUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';

/** In 24 hours, of each kind: someone who has taken over a session must not fill the mailbox. */
const maxNotices = 20;

/** Notifies an operator by email about a new way into the own account. The change is one of the operator tenant. */
export async function notifyOperator(
  change: Change,
  { id: memberId, email }: Pick<Member, 'id' | 'email'>,
  notice: OperatorNotice,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { type } = notice;
  if ((await countRecentEmails(change, memberId, type)) >= maxNotices) return;
  const tenant = await findSite(change);
  const url = operatorAccountUrl(tenant);
  const values = { notice, url, email, origin: originOf(tenant)! };
  const composed = composer.operatorNoticeEmail({ site: tenant, language }, values);
  await queueNotice(change, { type, recipient: email, memberId }, tenant, composed);
}
