import type { Member } from '@gatehouse/contract';
import type { EmailComposer, OperatorNotice } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import { originOf } from '../sites/site.ts';
import { operatorAccountUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';
import { hasTooManyNotices } from './notice-limit.ts';

/** Notifies an operator by email about a new way into the own account. The change is one of the operator tenant. */
export async function notifyOperator(
  change: Change,
  { id: memberId, email }: Pick<Member, 'id' | 'email'>,
  notice: OperatorNotice,
  language: string,
  composer: EmailComposer,
): Promise<void> {
  const { type } = notice;
  if (await hasTooManyNotices(change, memberId, type)) return;
  const tenant = await findSite(change);
  const url = operatorAccountUrl(tenant);
  const values = { notice, url, email, origin: originOf(tenant)! };
  const composed = composer.operatorNoticeEmail({ site: tenant, language }, values);
  await queueNotice(change, { type, recipient: email, memberId }, tenant, composed);
}
