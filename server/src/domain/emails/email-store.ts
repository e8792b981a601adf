import type { EmailStatus } from '@gatehouse/contract';
import sql, { empty, join } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { skipLocked } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { EmailFailure, EmailRow, NewEmail, StoredEmailRow } from './email.ts';

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
  id, type, recipient, member_id, status, attempts, next_attempt_at, last_error, mail_server_reply, subject, created_at, sent_at`;

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
): Promise<StoredEmailRow[]> {
  return db.all<StoredEmailRow>(sql`
    SELECT ${columns} FROM emails
    WHERE site_id = ${siteId}
      ${after === undefined ? empty : sql`AND id < ${after}`}
      ${status === undefined ? empty : sql`AND status = ${status}`}
      ${memberId === undefined ? empty : sql`AND member_id = ${memberId}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

export async function countEmails({ db, siteId }: SiteData, status: EmailStatus): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM emails WHERE site_id = ${siteId} AND status = ${status}`,
  );
  return row!.count;
}

export function selectEmail(
  { db, siteId }: SiteData,
  emailId: string,
): Promise<(StoredEmailRow & { content: string | null }) | undefined> {
  return db.get(sql`SELECT ${columns}, content FROM emails WHERE site_id = ${siteId} AND id = ${emailId}`);
}

/** The email with a login link that was queued in this transaction. */
export function selectEmailOfLink(
  { db, siteId }: SiteData,
  loginLinkId: string,
): Promise<StoredEmailRow | undefined> {
  return db.get(
    sql`SELECT ${columns} FROM emails WHERE site_id = ${siteId} AND login_link_id = ${loginLinkId}`,
  );
}

/** Whether a member has received an email of a type since a time. */
export async function hasEmailSince(
  { db, siteId }: SiteData,
  memberId: string,
  type: string,
  since: Timestamp,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT id FROM emails
    WHERE site_id = ${siteId} AND member_id = ${memberId} AND type = ${type} AND created_at > ${since} LIMIT 1`);
  return row !== undefined;
}

export async function countEmailsSince(
  { db, siteId }: SiteData,
  memberId: string,
  type: string,
  since: Timestamp,
): Promise<number> {
  const row = await db.get<{ count: number | string }>(sql`
    SELECT count(*) AS count FROM emails
    WHERE site_id = ${siteId} AND member_id = ${memberId} AND type = ${type} AND created_at > ${since}`);
  return Number(row!.count);
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
): Promise<EmailRow[]> {
  return db.all<EmailRow>(sql`
    UPDATE emails SET attempts = attempts + 1, next_attempt_at = ${leaseEnd}
    WHERE site_id = ${siteId} AND status = 'waiting' AND id IN (
      WITH due AS MATERIALIZED (
        SELECT id FROM emails WHERE site_id = ${siteId} AND status = 'waiting' AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at LIMIT ${limit} ${skipLocked(db)})
      SELECT id FROM due)
    RETURNING id, recipient, login_link_id, content, attempts, created_at`);
}

/** The sites with due emails. */
export async function selectSitesWithDueEmails(db: Queries, now: Timestamp): Promise<string[]> {
  const rows = await db.all<{ site_id: string }>(
    sql`SELECT DISTINCT site_id FROM emails WHERE status = 'waiting' AND next_attempt_at <= ${now}`,
  );
  return rows.map(({ site_id }) => site_id);
}

/** Since when the first of the due emails is due, over all sites. */
export async function selectFirstDueTime(db: Queries, now: Timestamp): Promise<Timestamp | undefined> {
  const row = await db.get<{ next_attempt_at: Timestamp }>(sql`
    SELECT next_attempt_at FROM emails WHERE status = 'waiting' AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at LIMIT 1`);
  return row?.next_attempt_at;
}

/** The number of waiting emails over all sites, at most `limit`. */
export async function countWaitingEmails(db: Queries, limit: number): Promise<number> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM (SELECT 1 FROM emails WHERE status = 'waiting' LIMIT ${limit}) waiting`);
  return row!.count;
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

/** Marks an email as not sent; its content stays readable in the store. Returns false when it is no longer waiting. */
export async function markNotSent({ db, siteId }: SiteData<Transaction>, emailId: string): Promise<boolean> {
  const changed = await db.run(sql`
    UPDATE emails SET status = 'not_sent', next_attempt_at = NULL
    WHERE site_id = ${siteId} AND id = ${emailId} AND status = 'waiting'`);
  return changed > 0;
}

/** Marks an email as failed, unless it has been claimed again; the later claim then decides its result. */
export async function markFailed(
  { db, siteId }: SiteData<Transaction>,
  { id, attempts }: Pick<EmailRow, 'id' | 'attempts'>,
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
  { id, attempts }: Pick<EmailRow, 'id' | 'attempts'>,
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
): Promise<{ id: string }[]> {
  return db.all(sql`
    DELETE FROM emails WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)} RETURNING id`);
}

/** Deletes the emails to addresses that did not belong to a member when they were written. */
export function deleteEmailsToAddresses(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
): Promise<{ id: string }[]> {
  return db.all(sql`
    DELETE FROM emails WHERE site_id = ${siteId} AND recipient IN ${valueList(emails)} AND member_id IS NULL
    RETURNING id`);
}

export async function withdrawEmails(
  { db, siteId }: SiteData<Transaction>,
  loginLinkIds: readonly string[],
): Promise<{ id: string }[]> {
  // The delivery locks the emails to be sent, then their links, and deletes those whose link is closed. So locked
  // emails are left to it.
  const found = await db.all<{ id: string }>(sql`
    SELECT id FROM emails WHERE site_id = ${siteId} AND login_link_id IN ${valueList(loginLinkIds)} ${skipLocked(db)}`);
  if (found.length === 0) return [];
  const ids = join(found.map(({ id }) => id));
  const deleted = await db.all<{ id: string }>(sql`
    DELETE FROM emails WHERE site_id = ${siteId} AND id IN (${ids}) AND status = 'waiting' RETURNING id`);
  await db.run(sql`UPDATE emails SET content = NULL WHERE site_id = ${siteId} AND id IN (${ids})`);
  return deleted;
}

export async function withdrawLinkEmails({ db, siteId }: SiteData<Transaction>): Promise<{ id: string }[]> {
  const deleted = await db.all<{ id: string }>(sql`
    DELETE FROM emails WHERE site_id = ${siteId} AND login_link_id IS NOT NULL AND status = 'waiting' RETURNING id`);
  await db.run(sql`UPDATE emails SET content = NULL WHERE site_id = ${siteId} AND login_link_id IS NOT NULL`);
  return deleted;
}

export function deleteEmails(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  return db.all(sql`DELETE FROM emails WHERE site_id = ${siteId} AND id IN ${valueList(ids)} RETURNING id`);
}

/** A few emails older than a time, over all sites. */
export function selectEmailsBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(
    sql`SELECT site_id, id FROM emails WHERE created_at <= ${time} ORDER BY created_at LIMIT ${limit}`,
  );
}

/** A few emails older than a time that were not sent and still have content, over all sites. */
export function selectReadableEmailsBefore(
  db: Queries,
  time: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM emails WHERE content IS NOT NULL AND created_at <= ${time} AND status = 'not_sent'
    ORDER BY created_at LIMIT ${limit}`);
}

export async function eraseEmails(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
): Promise<void> {
  await db.run(sql`UPDATE emails SET content = NULL WHERE site_id = ${siteId} AND id IN ${valueList(ids)}`);
}
