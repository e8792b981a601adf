import type { EmailType } from '@gatehouse/contract';
import { countRecentEmails } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';

const maxNotices = 20;

/**
 * Whether a person gets no more emails of a type about the own account in these 24 hours: someone who has taken over a
 * session must not fill the mailbox.
 */
export async function hasTooManyNotices(change: Change, memberId: string, type: EmailType): Promise<boolean> {
  return (await countRecentEmails(change, memberId, type)) >= maxNotices;
}
