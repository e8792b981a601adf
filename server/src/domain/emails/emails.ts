import type { Email, EmailType, EmailWithContent, Site } from '@gatehouse/contract';
import { failedEmailDays, maxFailedEmails } from '@gatehouse/contract/limits';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import { idsOf, newId } from '../../base/ids.ts';
import { type Page, type PageQuery, pageOf } from '../../base/page.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import type { ExpiredRow } from '../../storage/sql/expiring-rows.ts';
import { addTombstones, findTombstone } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import type { EmailContent, FailedAttempt, NewEmail } from './email.ts';
import type { ComposedEmail } from './email-composer.ts';
import {
  countEmailsSince,
  deleteEmail,
  deleteEmails,
  deleteEmailsByMember,
  deleteEmailsToAddresses,
  type EmailFilter,
  hasEmailSince,
  insertEmail,
  selectEmail,
  selectEmailOfLink,
  selectEmails,
  selectLastFailure,
  selectLastSentTime,
  selectUnresolvedEmails,
  withdrawEmails,
  withdrawLinkEmails,
} from './email-store.ts';

export {
  claimEmails,
  countEmails,
  countWaitingEmails,
  eraseEmails,
  findOldEmails,
  findOldReadableEmails,
  markFailed,
  markNotSent,
  markSent,
  postponeEmail,
  selectFirstDueTime as findFirstDueEmailTime,
  selectSitesWithDueEmails as findSitesWithDueEmails,
} from './email-store.ts';

const listName = 'emails';

/** Queues an email in the transaction of the change that it reports. Returns its id. */
export async function queueEmail(context: SiteView<Transaction>, email: NewEmail): Promise<string> {
  const id = newId();
  await insertEmail(context, id, email);
  return id;
}

/** Queues an email that belongs to no login link, in the name of a site. Returns its id. */
export function queueNotice(
  context: SiteView<Transaction>,
  to: { readonly type: EmailType; readonly recipient: string; readonly memberId: string | null },
  { title }: Pick<Site, 'title'>,
  composed: ComposedEmail,
): Promise<string> {
  return queueEmail(context, { ...to, loginLinkId: null, content: { fromName: title, ...composed } });
}

/** Whether a member has received an email of a type in the last 24 hours. */
export function hasRecentEmail(view: SiteView, memberId: string, type: EmailType): Promise<boolean> {
  return hasEmailSince(view, memberId, type, timestampBefore(view.now, millisecondsPerDay));
}

/** How many emails of a type were queued for a member in the last 24 hours. */
export function countRecentEmails(view: SiteView, memberId: string, type: EmailType): Promise<number> {
  return countEmailsSince(view, memberId, type, timestampBefore(view.now, millisecondsPerDay));
}

/** The last failed emails, without those after which one to the same recipient was sent. */
export function findFailedEmails(view: SiteView): ReturnType<typeof selectUnresolvedEmails> {
  const since = timestampBefore(view.now, failedEmailDays * millisecondsPerDay);
  return selectUnresolvedEmails(view, since, maxFailedEmails);
}

/** How sending has gone for a site lately. */
export async function findDeliveryState(view: SiteData): Promise<DeliveryState> {
  const [lastSentAt, lastFailure] = await Promise.all([selectLastSentTime(view), selectLastFailure(view)]);
  return { lastSentAt: lastSentAt ?? null, lastFailure: lastFailure ?? null };
}

export interface DeliveryState {
  /** When the newest of the sent emails was accepted. */
  readonly lastSentAt: Timestamp | null;
  /** The newest email that has failed or waits for another attempt. */
  readonly lastFailure: FailedAttempt | null;
}

export interface EmailQuery extends EmailFilter, PageQuery {}

/** Lists the emails of a site, newest first. @throws {ApiError} `invalid_cursor` */
export async function listEmails(
  view: SiteView,
  { after, limit, ...filter }: EmailQuery,
): Promise<Page<Email>> {
  if (after !== undefined && !(await selectEmail(view, after))) {
    await findTombstone(view, listName, after);
  }
  return pageOf(await selectEmails(view, filter, after, limit + 1), limit);
}

/** @throws {ApiError} `email_not_found` */
export async function findEmail(view: SiteData, emailId: string): Promise<EmailWithContent> {
  const { content: stored, ...email } = await requireEmail(view, emailId);
  const content: EmailContent | null = stored === null ? null : JSON.parse(stored);
  return { ...email, text: content?.text ?? null, html: content?.html ?? null };
}

/** An email as in the list. @throws {ApiError} `email_not_found` */
export async function findListedEmail(view: SiteData, emailId: string): Promise<Email> {
  const { content: _, ...email } = await requireEmail(view, emailId);
  return email;
}

async function requireEmail(view: SiteData, emailId: string) {
  const row = await selectEmail(view, emailId);
  if (row) return row;
  throw new ApiError(
    'email_not_found',
    'This site has no email with this ID. It may have been deleted. Check the ID.',
  );
}

/**
 * A failed login link of a member, invitation of an operator or invitation of somebody, which can be sent again.
 * @throws {ApiError} `email_not_found`, `email_not_resendable`
 */
export async function findResendableEmail(view: SiteData, emailId: string): Promise<ResendableEmail> {
  const { type, status, memberId, recipient, createdAt } = await findListedEmail(view, emailId);
  if (status !== 'failed') throw notResendable('Only an email that has failed can be sent again.');
  if (type === 'invitation') return { type, recipient };
  if (type === 'member_invitation') return { type, recipient, createdAt };
  if (type !== 'login_link') throw notResendable('Only login links and invitations can be sent again.');
  if (memberId !== null) return { type, memberId };
  throw notResendable('This person is not a member, and has to request a login link again.');
}

export type ResendableEmail =
  | { readonly type: 'login_link'; readonly memberId: string }
  | { readonly type: 'invitation'; readonly recipient: string }
  | { readonly type: 'member_invitation'; readonly recipient: string; readonly createdAt: Timestamp };

export function notResendable(message: string): ApiError {
  return new ApiError('email_not_resendable', message);
}

/** The email with a login link that this transaction has queued. */
export async function findEmailOfLink(view: SiteData, loginLinkId: string): Promise<Email> {
  return (await selectEmailOfLink(view, loginLinkId))!;
}

/** Deletes an email that must not be sent. */
export async function dropEmail(view: SiteView<Transaction>, emailId: string): Promise<void> {
  await deleteEmail(view, emailId);
  await addTombstones(view, [{ list: listName, id: emailId }]);
}

/** Deletes all emails to members, including those sent before they became members. */
export async function deleteEmailsOf(
  change: Change,
  members: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  const emails = members.map(({ email }) => email);
  await leaveList(change, [
    ...(await deleteEmailsByMember(change, idsOf(members))),
    ...(await deleteEmailsToAddresses(change, emails)),
  ]);
}

/** Deletes the emails to an address that belongs to no member. */
export async function deleteEmailsToAddress(change: Change, email: string): Promise<void> {
  await leaveList(change, await deleteEmailsToAddresses(change, [email]));
}

/** Withdraws the emails of closed links: they are no longer sent or shown. */
export async function withdrawEmailsOfLinks(change: Change, loginLinkIds: readonly string[]): Promise<void> {
  if (loginLinkIds.length === 0) return;
  await leaveList(change, await withdrawEmails(change, loginLinkIds));
}

/** Withdraws the emails of all links of a site. */
export async function withdrawEmailsOfEveryLink(change: Change): Promise<void> {
  await leaveList(change, await withdrawLinkEmails(change));
}

function leaveList(view: SiteView<Transaction>, ids: readonly string[]): Promise<void> {
  return addTombstones(
    view,
    ids.map((id) => ({ list: listName, id })),
  );
}

export async function purgeEmails(change: Change, emails: readonly ExpiredRow[]): Promise<void> {
  await leaveList(change, await deleteEmails(change, emails));
}
