import type { Email, EmailStatus, FailedEmail } from '@gatehouse/contract';
import sql, { empty, join } from 'sql-template-tag';
import { millisecondsPerDay, type Timestamp } from '../../base/clock.ts';
import { firstIdAt, idsOf } from '../../base/ids.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { Columns, jsonColumn } from '../../storage/sql/columns.ts';
import { type ExpiredRow, expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues, countOf, firstValue, hasRow } from '../../storage/sql/results.ts';
import { skipLocked } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { ClaimedEmail, EmailClaim, EmailFailure, FailedAttempt, NewEmail } from './email.ts';

export async function insertEmail(
  { db, siteId, now }: SiteView<Transaction>,
  id: string,
  { type, recipient, memberId, loginLinkId, content, subject = content.subject }: NewEmail,
): Promise<void> {
  await db.run(sql`
    INSERT INTO emails
      (site_id, id, type, recipient, member_id, login_link_id, subject, content, status, next_attempt_at, created_at)
    VALUES (${siteId}, ${id}, ${type}, ${recipient}, ${memberId}, ${loginLinkId}, ${subject}, ${JSON.stringify(content)},
            'waiting', ${now}, ${now})`);
}

const columns = sql`
  id, type, recipient, member_id AS "memberId", status, attempts, next_attempt_at AS "nextAttemptAt",
  last_error AS "lastError", mail_server_reply AS "mailServerReply", subject, created_at AS "createdAt",
  sent_at AS "sentAt"`;

const claimed = new Columns<ClaimedEmail>({
  id: 'id',
  type: 'type',
  recipient: 'recipient',
  loginLinkId: 'login_link_id',
  content: jsonColumn('content'),
  attempts: 'attempts',
  createdAt: 'created_at',
});

export interface EmailFilter {
  readonly status?: string;
  readonly memberId?: string;
}

/** Lists emails, newest first. */
export function selectEmails(
  { db, siteId }: SiteData,
  { status, memberId }: EmailFilter,
  after: string | undefined,
  limit: number,
): Promise<Email[]> {
  return db.all<Email>(sql`
    SELECT ${columns} FROM emails
    WHERE site_id = ${siteId}
      ${after === undefined ? empty : sql`AND id < ${after}`}
      ${status === undefined ? empty : sql`AND status = ${status}`}
      ${memberId === undefined ? empty : sql`AND member_id = ${memberId}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

export function countEmails({ db, siteId }: SiteData, status: EmailStatus): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM emails WHERE site_id = ${siteId} AND status = ${status}`,
  );
}

/** Of the last of a site's failed emails, so many are looked at, so that a long outage of the mail server costs little. */
const failedLookedAt = 1_000;

/**
 * Failed emails since a time, newest first, without those after which one to the same recipient or to the same member was
 * sent. A code for a new email address, or a note to a former one, does not show that the member's own can be reached.
 * Tests of the mail server are for the operator who has requested them.
 */
export function selectUnresolvedEmails(
  { db, siteId }: SiteData,
  since: Timestamp,
  limit: number,
): Promise<FailedEmail[]> {
  return db.all<FailedEmail>(sql`
    SELECT id, type, recipient, member_id AS "memberId", last_error AS "lastError",
           mail_server_reply AS "mailServerReply", created_at AS "createdAt"
    FROM (
      SELECT id, type, recipient, member_id, last_error, mail_server_reply, created_at FROM emails
      WHERE site_id = ${siteId} AND status = 'failed' AND id >= ${firstIdAt(since)} AND type <> 'mail_test'
      ORDER BY id DESC LIMIT ${failedLookedAt}
    ) failed
    WHERE NOT EXISTS (
      SELECT 1 FROM emails later
      WHERE later.site_id = ${siteId} AND later.recipient = failed.recipient AND later.id > failed.id
        AND later.status = 'sent')
      AND NOT EXISTS (
      SELECT 1 FROM emails later
      WHERE later.site_id = ${siteId} AND later.member_id = failed.member_id AND later.id > failed.id
        AND later.status = 'sent' AND later.type NOT IN ('address_code', 'address_changed'))
    ORDER BY id DESC LIMIT ${limit}`);
}

/** When the newest sent email was accepted. */
export function selectLastSentTime({ db, siteId }: SiteData): Promise<Timestamp | undefined> {
  return firstValue(
    db,
    sql`SELECT sent_at FROM emails WHERE site_id = ${siteId} AND status = 'sent' ORDER BY id DESC LIMIT 1`,
  );
}

/** Of the waiting emails, so many are looked at. The oldest ones: in an outage, the newest have not been tried yet. */
const waitingLookedAt = 1_000;

/** The newest email that has failed, or waits after a failure. */
export function selectLastFailure({ db, siteId }: SiteData): Promise<FailedAttempt | undefined> {
  return db.get(sql`
    SELECT created_at AS at, last_error AS error, mail_server_reply AS reply
    FROM (
      SELECT * FROM (SELECT id, created_at, last_error, mail_server_reply FROM emails
        WHERE site_id = ${siteId} AND status = 'failed' ORDER BY id DESC LIMIT 1) failed
      UNION ALL
      SELECT * FROM (SELECT id, created_at, last_error, mail_server_reply FROM emails
        WHERE site_id = ${siteId} AND status = 'waiting' ORDER BY id LIMIT ${waitingLookedAt}) waiting
    ) candidates
    WHERE last_error IS NOT NULL ORDER BY id DESC LIMIT 1`);
}

export function selectEmail(
  { db, siteId }: SiteData,
  emailId: string,
): Promise<(Email & { content: string | null }) | undefined> {
  return db.get(sql`SELECT ${columns}, content FROM emails WHERE site_id = ${siteId} AND id = ${emailId}`);
}

/** The email with a login link that was queued in this transaction. */
export function selectEmailOfLink({ db, siteId }: SiteData, loginLinkId: string): Promise<Email | undefined> {
  return db.get(
    sql`SELECT ${columns} FROM emails WHERE site_id = ${siteId} AND login_link_id = ${loginLinkId}`,
  );
}

/** Whether a member has received an email of a type since a time. */
export function hasEmailSince(
  { db, siteId }: SiteData,
  memberId: string,
  type: string,
  since: Timestamp,
): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT id FROM emails
      WHERE site_id = ${siteId} AND member_id = ${memberId} AND type = ${type} AND created_at > ${since} LIMIT 1`,
  );
}

export function countEmailsSince(
  { db, siteId }: SiteData,
  memberId: string,
  type: string,
  since: Timestamp,
): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM emails
      WHERE site_id = ${siteId} AND member_id = ${memberId} AND type = ${type} AND created_at > ${since}`,
  );
}

/**
 * Claims a few due emails until `leaseEnd`; after that, other processes may claim them again. They are selected in a
 * separate part of the statement, because PostgreSQL may run a subquery more than once and would find other emails
 * each time.
 */
export function claimEmails(
  { db, siteId, now }: SiteView<Transaction>,
  leaseEnd: Timestamp,
  limit: number,
): Promise<ClaimedEmail[]> {
  return claimed.all(
    db,
    sql`
    UPDATE emails SET attempts = attempts + 1, next_attempt_at = ${leaseEnd}
    WHERE site_id = ${siteId} AND status = 'waiting' AND id IN (
      WITH due AS MATERIALIZED (
        SELECT id FROM emails WHERE site_id = ${siteId} AND status = 'waiting' AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at LIMIT ${limit} ${skipLocked(db)})
      SELECT id FROM due)
    RETURNING ${claimed.list}`,
  );
}

/** The sites with due emails. */
export function selectSitesWithDueEmails(db: Queries, now: Timestamp): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT site_id FROM emails WHERE status = 'waiting' AND next_attempt_at <= ${now}`,
  );
}

/** Since when the first of the due emails is due, over all sites. */
export function selectFirstDueTime(db: Queries, now: Timestamp): Promise<Timestamp | undefined> {
  return firstValue(
    db,
    sql`SELECT next_attempt_at FROM emails WHERE status = 'waiting' AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT 1`,
  );
}

/** The number of waiting emails over all sites, at most `limit`. */
export function countWaitingEmails(db: Queries, limit: number): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM (SELECT 1 FROM emails WHERE status = 'waiting' LIMIT ${limit}) waiting`,
  );
}

/** Marks an email as sent and deletes its content, which is no longer needed. */
export async function markSent(
  { db, siteId }: SiteData<Transaction>,
  emailId: string,
  at: Timestamp,
): Promise<void> {
  await db.run(sql`
    UPDATE emails
    SET status = 'sent', sent_at = ${at}, content = NULL, next_attempt_at = NULL, last_error = NULL,
        mail_server_reply = NULL
    WHERE site_id = ${siteId} AND id = ${emailId}`);
}

/** Marks emails as not sent; their content stays readable in the store. */
export async function markNotSent(
  { db, siteId }: SiteData<Transaction>,
  emailIds: readonly string[],
): Promise<void> {
  if (emailIds.length === 0) return;
  await db.run(sql`
    UPDATE emails SET status = 'not_sent', next_attempt_at = NULL
    WHERE site_id = ${siteId} AND id IN ${valueList(emailIds)}`);
}

/** Marks an email as failed, unless it has been claimed again; the later claim then decides its result. */
export async function markFailed(
  { db, siteId }: SiteData<Transaction>,
  { id, attempts }: EmailClaim,
  { reason, mailServerReply }: EmailFailure,
): Promise<void> {
  await db.run(sql`
    UPDATE emails
    SET status = 'failed', content = NULL, next_attempt_at = NULL, last_error = ${reason},
        mail_server_reply = ${mailServerReply}
    WHERE site_id = ${siteId} AND id = ${id} AND status = 'waiting' AND attempts = ${attempts}`);
}

/** Ends the lease of an email, unless it has been claimed again. Without a failure, the last one stays. */
export async function postponeEmail(
  { db, siteId }: SiteData<Transaction>,
  { id, attempts }: EmailClaim,
  nextAttemptAt: Timestamp,
  failure: EmailFailure | null,
): Promise<void> {
  const reasons =
    failure === null
      ? empty
      : sql`, last_error = ${failure.reason}, mail_server_reply = ${failure.mailServerReply}`;
  await db.run(sql`
    UPDATE emails SET next_attempt_at = ${nextAttemptAt} ${reasons}
    WHERE site_id = ${siteId} AND id = ${id} AND status = 'waiting' AND attempts = ${attempts}`);
}

export async function deleteEmail({ db, siteId }: SiteData<Transaction>, emailId: string): Promise<void> {
  await db.run(sql`DELETE FROM emails WHERE site_id = ${siteId} AND id = ${emailId}`);
}

// This function and the following ones return the ids of the deleted emails.

export function deleteEmailsByMember(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`DELETE FROM emails WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)} RETURNING id`,
  );
}

/** Deletes the emails to addresses that did not belong to a member when they were written. */
export function deleteEmailsToAddresses(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`DELETE FROM emails WHERE site_id = ${siteId} AND recipient IN ${valueList(emails)} AND member_id IS NULL
      RETURNING id`,
  );
}

export async function withdrawEmails(
  { db, siteId }: SiteData<Transaction>,
  loginLinkIds: readonly string[],
): Promise<string[]> {
  // The delivery locks the emails to be sent, then their links, and deletes those whose link is closed. So locked
  // emails are left to it.
  const found = await allValues<string>(
    db,
    sql`SELECT id FROM emails
      WHERE site_id = ${siteId} AND login_link_id IN ${valueList(loginLinkIds)} ${skipLocked(db)}`,
  );
  if (found.length === 0) return [];
  const ids = join(found);
  const deleted = await allValues<string>(
    db,
    sql`DELETE FROM emails WHERE site_id = ${siteId} AND id IN (${ids}) AND status = 'waiting' RETURNING id`,
  );
  await db.run(sql`UPDATE emails SET content = NULL WHERE site_id = ${siteId} AND id IN (${ids})`);
  return deleted;
}

export async function withdrawLinkEmails({ db, siteId }: SiteData<Transaction>): Promise<string[]> {
  const deleted = await allValues<string>(
    db,
    sql`DELETE FROM emails WHERE site_id = ${siteId} AND login_link_id IS NOT NULL AND status = 'waiting' RETURNING id`,
  );
  await db.run(
    sql`UPDATE emails SET content = NULL WHERE site_id = ${siteId} AND login_link_id IS NOT NULL AND content IS NOT NULL`,
  );
  return deleted;
}

export function deleteEmails(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly ExpiredRow[],
): Promise<string[]> {
  return allValues(
    db,
    sql`DELETE FROM emails WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(emails))} RETURNING id`,
  );
}

const retentionDays = 30;
const readableDays = 1;

export const { find: findOldEmails } = expiryOf({
  table: 'emails',
  time: 'created_at',
  retentionMilliseconds: retentionDays * millisecondsPerDay,
});

/** Emails that were not sent, and whose content is no longer needed. */
export const { find: findOldReadableEmails } = expiryOf({
  table: 'emails',
  time: 'created_at',
  retentionMilliseconds: readableDays * millisecondsPerDay,
  condition: "content IS NOT NULL AND status = 'not_sent' AND ",
});

/** Deletes the content of emails. They stay in the list. */
export async function eraseEmails(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly ExpiredRow[],
): Promise<void> {
  await db.run(
    sql`UPDATE emails SET content = NULL WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(emails))}`,
  );
}
