import type { MailState } from '@gatehouse/contract';
import sql, { empty, join } from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { skipLocked } from '../storage/row-lock.ts';
import type { MailRow, NewMail, StoredMailRow } from './mail.ts';

export async function insertMail(
  tx: Transaction,
  siteId: string,
  id: string,
  { kind, recipient, memberId, loginLinkId, content, subject = content.subject }: NewMail,
  at: Timestamp,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO mails
      (site_id, id, kind, recipient, member_id, login_link_id, subject, content, state, next_attempt_at, created_at)
    VALUES (${siteId}, ${id}, ${kind}, ${recipient}, ${memberId}, ${loginLinkId}, ${subject}, ${JSON.stringify(content)},
            'waiting', ${at}, ${at})`);
}

const columns = sql`
  id, kind, recipient, member_id, state, attempts, next_attempt_at, last_error, subject, created_at, sent_at`;

export interface MailFilter {
  readonly state?: string;
  readonly memberId?: string;
}

/** Mails, newest first. */
export function selectMails(
  db: Queries,
  siteId: string,
  { state, memberId }: MailFilter,
  after: string | undefined,
  limit: number,
): Promise<StoredMailRow[]> {
  return db.all<StoredMailRow>(sql`
    SELECT ${columns} FROM mails
    WHERE site_id = ${siteId}
      ${after === undefined ? empty : sql`AND id < ${after}`}
      ${state === undefined ? empty : sql`AND state = ${state}`}
      ${memberId === undefined ? empty : sql`AND member_id = ${memberId}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

export async function countMails(db: Queries, siteId: string, state: MailState): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM mails WHERE site_id = ${siteId} AND state = ${state}`,
  );
  return row!.count;
}

export function selectMail(
  db: Queries,
  siteId: string,
  mailId: string,
): Promise<(StoredMailRow & { content: string | null }) | undefined> {
  return db.get(sql`SELECT ${columns}, content FROM mails WHERE site_id = ${siteId} AND id = ${mailId}`);
}

/**
 * Takes a few mails whose time has come, until `leaseEnd`: then, unless told otherwise, they are anybody's again. They
 * are chosen in a part of its own, as PostgreSQL may run a subquery more than once, and would find others each time.
 */
export function claimMails(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  leaseEnd: Timestamp,
  limit: number,
): Promise<MailRow[]> {
  return tx.all<MailRow>(sql`
    UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${leaseEnd}
    WHERE site_id = ${siteId} AND state = 'waiting' AND id IN (
      WITH due AS MATERIALIZED (
        SELECT id FROM mails WHERE site_id = ${siteId} AND state = 'waiting' AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at LIMIT ${limit} ${skipLocked(tx)})
      SELECT id FROM due)
    RETURNING id, recipient, login_link_id, content, attempts, created_at`);
}

/** When the next mail of a site is due. */
export async function selectNextAttempt(db: Queries, siteId: string): Promise<Timestamp | undefined> {
  const row = await db.get<{ next_attempt_at: Timestamp }>(sql`
    SELECT next_attempt_at FROM mails WHERE site_id = ${siteId} AND state = 'waiting'
    ORDER BY next_attempt_at LIMIT 1`);
  return row?.next_attempt_at;
}

/** From here on nobody needs to read the mail again. */
export async function markSent(
  tx: Transaction,
  siteId: string,
  mailId: string,
  at: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE mails SET state = 'sent', sent_at = ${at}, content = NULL, next_attempt_at = NULL, last_error = NULL
    WHERE site_id = ${siteId} AND id = ${mailId}`);
}

/** The mail is left to be read in the store. Gives whether this made it so. */
export async function markKept(tx: Transaction, siteId: string, mailId: string): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE mails SET state = 'kept', next_attempt_at = NULL
    WHERE site_id = ${siteId} AND id = ${mailId} AND state = 'waiting'`);
  return changed > 0;
}

/** Unless the mail has meanwhile been taken up again: then what becomes of it is decided there. */
export async function markFailed(
  tx: Transaction,
  siteId: string,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  error: string,
): Promise<void> {
  await tx.run(sql`
    UPDATE mails SET state = 'failed', content = NULL, next_attempt_at = NULL, last_error = ${error}
    WHERE site_id = ${siteId} AND id = ${id} AND state = 'waiting' AND attempts = ${attempts}`);
}

/** Ends the lease of a mail, unless it has meanwhile been taken up again. */
export async function postponeMail(
  tx: Transaction,
  siteId: string,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  nextAttemptAt: Timestamp,
  error: string | null,
): Promise<void> {
  await tx.run(sql`
    UPDATE mails SET next_attempt_at = ${nextAttemptAt}, last_error = COALESCE(${error}, last_error)
    WHERE site_id = ${siteId} AND id = ${id} AND state = 'waiting' AND attempts = ${attempts}`);
}

export async function deleteMail(tx: Transaction, siteId: string, mailId: string): Promise<void> {
  await tx.run(sql`DELETE FROM mails WHERE site_id = ${siteId} AND id = ${mailId}`);
}

// Each of these gives the ids of the mails that are gone.

export function deleteMailsByMember(
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<{ id: string }[]> {
  return tx.all(sql`
    DELETE FROM mails WHERE site_id = ${siteId} AND member_id IN (${join([...memberIds])}) RETURNING id`);
}

/** Deletes the mails to addresses that were no member's when they were written. */
export function deleteMailsToAddresses(
  tx: Transaction,
  siteId: string,
  emails: readonly string[],
): Promise<{ id: string }[]> {
  return tx.all(sql`
    DELETE FROM mails WHERE site_id = ${siteId} AND recipient IN (${join([...emails])}) AND member_id IS NULL
    RETURNING id`);
}

export async function withdrawMails(
  tx: Transaction,
  siteId: string,
  loginLinkIds: readonly string[],
): Promise<{ id: string }[]> {
  // The delivery locks the emails that it is about to send, then their links, and deletes those whose link is closed.
  // So locked emails are left to it.
  const found = await tx.all<{ id: string }>(sql`
    SELECT id FROM mails WHERE site_id = ${siteId} AND login_link_id IN (${join([...loginLinkIds])}) ${skipLocked(tx)}`);
  if (found.length === 0) return [];
  const ids = join(found.map(({ id }) => id));
  const deleted = await tx.all<{ id: string }>(sql`
    DELETE FROM mails WHERE site_id = ${siteId} AND id IN (${ids}) AND state = 'waiting' RETURNING id`);
  await tx.run(sql`UPDATE mails SET content = NULL WHERE site_id = ${siteId} AND id IN (${ids})`);
  return deleted;
}

export async function withdrawLinkMails(tx: Transaction, siteId: string): Promise<{ id: string }[]> {
  const deleted = await tx.all<{ id: string }>(sql`
    DELETE FROM mails WHERE site_id = ${siteId} AND login_link_id IS NOT NULL AND state = 'waiting' RETURNING id`);
  await tx.run(sql`UPDATE mails SET content = NULL WHERE site_id = ${siteId} AND login_link_id IS NOT NULL`);
  return deleted;
}

export function deleteMailsBefore(
  tx: Transaction,
  siteId: string,
  time: Timestamp,
  limit: number,
): Promise<{ id: string }[]> {
  return tx.all(sql`
    DELETE FROM mails WHERE site_id = ${siteId} AND id IN (
      SELECT id FROM mails WHERE site_id = ${siteId} AND created_at <= ${time} LIMIT ${limit}) RETURNING id`);
}

export function eraseMailsBefore(
  tx: Transaction,
  siteId: string,
  time: Timestamp,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    UPDATE mails SET content = NULL WHERE site_id = ${siteId} AND id IN (
      SELECT id FROM mails
      WHERE site_id = ${siteId} AND created_at <= ${time} AND state = 'kept' AND content IS NOT NULL LIMIT ${limit})`);
}
