import type { Email, EmailType, EmailWithContent } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { millisecondsPerDay, type Timestamp, timestampBefore } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { type Page, toPage } from '../../base/page.ts';
import type { Queries } from '../../storage/database.ts';
import { addTombstones, findTombstone, type RemovalContext } from '../cursors/cursor-tombstones.ts';
import type { Change } from '../events/change.ts';
import { type EmailContent, type NewEmail, toEmail } from './email.ts';
import {
  countEmailsSince,
  deleteEmail,
  deleteEmails,
  deleteEmailsByMember,
  deleteEmailsToAddresses,
  type EmailFilter,
  eraseEmails as eraseEmailRows,
  hasEmailSince,
  insertEmail,
  selectEmail,
  selectEmailOfLink,
  selectEmails,
  selectEmailsBefore,
  selectReadableEmailsBefore,
  withdrawEmails,
  withdrawLinkEmails,
} from './email-store.ts';

export {
  claimEmails,
  countEmails,
  countWaitingEmails,
  markFailed,
  markNotSent,
  markSent,
  postponeEmail,
  selectFirstDueTime as findFirstDueEmailTime,
  selectSitesWithDueEmails as findSitesWithDueEmails,
} from './email-store.ts';

const listName = 'emails';
const retentionDays = 30;
const readableDays = 1;

/** Queues an email in the transaction of the change that it reports. Returns its id. */
export async function queueEmail({ tx, siteId, at }: RemovalContext, email: NewEmail): Promise<string> {
  const id = newId();
  await insertEmail(tx, siteId, id, email, at);
  return id;
}

/** Whether a member has received an email of a type in the last 24 hours. */
export function hasRecentEmail(
  db: Queries,
  siteId: string,
  memberId: string,
  type: EmailType,
  now: Timestamp,
): Promise<boolean> {
  return hasEmailSince(db, siteId, memberId, type, timestampBefore(now, millisecondsPerDay));
}

/** How many emails of a type were queued for a member in the last 24 hours. */
export function countRecentEmails(
  db: Queries,
  siteId: string,
  memberId: string,
  type: EmailType,
  now: Timestamp,
): Promise<number> {
  return countEmailsSince(db, siteId, memberId, type, timestampBefore(now, millisecondsPerDay));
}

export interface EmailQuery extends EmailFilter {
  readonly after?: string;
  readonly limit: number;
}

/** Lists the emails of a site, newest first. @throws {ApiError} `invalid_cursor` */
export async function listEmails(
  db: Queries,
  siteId: string,
  { after, limit, ...filter }: EmailQuery,
  now: Timestamp,
): Promise<Page<Email>> {
  if (after !== undefined && !(await selectEmail(db, siteId, after))) {
    await findTombstone(db, siteId, listName, after, now);
  }
  return toPage(await selectEmails(db, siteId, filter, after, limit + 1), limit, toEmail);
}

/** @throws {ApiError} `email_not_found` */
export async function findEmail(db: Queries, siteId: string, emailId: string): Promise<EmailWithContent> {
  const row = await requireEmail(db, siteId, emailId);
  const content: EmailContent | null = row.content === null ? null : JSON.parse(row.content);
  return { ...toEmail(row), text: content?.text ?? null, html: content?.html ?? null };
}

/** An email as in the list. @throws {ApiError} `email_not_found` */
export async function findListedEmail(db: Queries, siteId: string, emailId: string): Promise<Email> {
  return toEmail(await requireEmail(db, siteId, emailId));
}

async function requireEmail(db: Queries, siteId: string, emailId: string) {
  const row = await selectEmail(db, siteId, emailId);
  if (row) return row;
  throw new ApiError(
    'email_not_found',
    'This site has no email with this ID. It may have been deleted. Check the ID.',
  );
}

/**
 * A failed login link of a member or invitation, which can be sent again.
 * @throws {ApiError} `email_not_found`, `email_not_resendable`
 */
export async function findResendableEmail(
  db: Queries,
  siteId: string,
  emailId: string,
): Promise<ResendableEmail> {
  const { type, status, memberId, recipient } = await findListedEmail(db, siteId, emailId);
  if (status !== 'failed') throw notResendable('Only an email that has failed can be sent again.');
  if (type === 'invitation') return { type, recipient };
  if (type !== 'login_link') throw notResendable('Only login links and invitations can be sent again.');
  if (memberId !== null) return { type, memberId };
  throw notResendable('This person is not a member, and has to request a login link again.');
}

export type ResendableEmail =
  | { readonly type: 'login_link'; readonly memberId: string }
  | { readonly type: 'invitation'; readonly recipient: string };

function notResendable(message: string): ApiError {
  return new ApiError('email_not_resendable', message);
}

/** The email with a login link that this transaction has queued. */
export async function findEmailOfLink(db: Queries, siteId: string, loginLinkId: string): Promise<Email> {
  return toEmail((await selectEmailOfLink(db, siteId, loginLinkId))!);
}

/** Deletes an email that must not be sent. */
export async function dropEmail(removal: RemovalContext, emailId: string): Promise<void> {
  await deleteEmail(removal.tx, removal.siteId, emailId);
  await addTombstones(removal, [{ list: listName, id: emailId }]);
}

/** Deletes all emails to members, including those sent before they became members. */
export async function deleteEmailsOf(
  change: Change,
  members: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  const { tx, siteId } = change;
  const ids = members.map(({ id }) => id);
  const emails = members.map(({ email }) => email);
  await leaveList(change, [
    ...(await deleteEmailsByMember(tx, siteId, ids)),
    ...(await deleteEmailsToAddresses(tx, siteId, emails)),
  ]);
}

/** Deletes the emails to an address that belongs to no member. */
export async function deleteEmailsToAddress(change: Change, email: string): Promise<void> {
  await leaveList(change, await deleteEmailsToAddresses(change.tx, change.siteId, [email]));
}

/** Withdraws the emails of closed links: they are no longer sent or shown. */
export async function withdrawEmailsOfLinks(change: Change, loginLinkIds: readonly string[]): Promise<void> {
  if (loginLinkIds.length === 0) return;
  await leaveList(change, await withdrawEmails(change.tx, change.siteId, loginLinkIds));
}

/** Withdraws the emails of all links of a site. */
export async function withdrawEmailsOfEveryLink(change: Change): Promise<void> {
  await leaveList(change, await withdrawLinkEmails(change.tx, change.siteId));
}

function leaveList(removal: RemovalContext, emails: readonly { id: string }[]): Promise<void> {
  return addTombstones(
    removal,
    emails.map(({ id }) => ({ list: listName, id })),
  );
}

/** A few expired emails, over all sites. */
export function findOldEmails(db: Queries, now: Timestamp, limit: number) {
  return selectEmailsBefore(db, timestampBefore(now, retentionDays * millisecondsPerDay), limit);
}

export async function purgeEmails(change: Change, rows: readonly { readonly id: string }[]): Promise<void> {
  await leaveList(change, await deleteEmails(change.tx, change.siteId, idsOf(rows)));
}

/** A few emails whose content is no longer needed, over all sites. */
export function findOldReadableEmails(db: Queries, now: Timestamp, limit: number) {
  return selectReadableEmailsBefore(db, timestampBefore(now, readableDays * millisecondsPerDay), limit);
}

/** Deletes the content of emails. They stay in the list. */
export function eraseEmails({ tx, siteId }: Change, rows: readonly { readonly id: string }[]): Promise<void> {
  return eraseEmailRows(tx, siteId, idsOf(rows));
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
