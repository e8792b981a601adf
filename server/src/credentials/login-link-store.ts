import sql, { raw, type Sql } from 'sql-template-tag';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { skipLocked } from '../storage/row-lock.ts';
import { type LoginLinkRow, loginLinkColumns, loginLinkKeptHours, mostCodeTries } from './login-link.ts';

const columns = raw(loginLinkColumns.join(', '));

export async function insertLoginLink(tx: Transaction, siteId: string, row: LoginLinkRow): Promise<void> {
  await tx.insert(
    'login_links',
    ['site_id', ...loginLinkColumns],
    [[siteId, ...loginLinkColumns.map((column) => row[column])]],
  );
}

/** The link that a token opens, unless its time is over or a newer one was asked for. */
export function selectLinkByToken(
  db: Queries,
  siteId: string,
  tokenHash: string,
  now: Timestamp,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(sql`
    SELECT ${columns} FROM login_links
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND expires_at > ${now} AND ${isLatest(siteId)}`);
}

/** What a browser has asked for last, with or without a link to come of it. */
export function selectLinkByBrowser(
  db: Queries,
  siteId: string,
  browserHash: string,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(
    sql`SELECT ${columns} FROM login_links WHERE site_id = ${siteId} AND browser_hash = ${browserHash}`,
  );
}

/** Counts a try of the code, unless there were too many or its time is over. Check and count are one statement. */
export function countCodeTry(
  tx: Transaction,
  siteId: string,
  browserHash: string,
  now: Timestamp,
): Promise<LoginLinkRow | undefined> {
  return tx.get<LoginLinkRow>(sql`
    UPDATE login_links SET tries = tries + 1
    WHERE site_id = ${siteId} AND browser_hash = ${browserHash} AND tries < ${mostCodeTries} AND expires_at > ${now}
      AND code_hash IS NOT NULL AND ${isLatest(siteId)}
    RETURNING ${columns}`);
}

/** Takes a link away. Of many who try at once one gets it. */
export async function takeLoginLink(tx: Transaction, siteId: string, linkId: string): Promise<boolean> {
  const taken = await tx.run(sql`DELETE FROM login_links WHERE site_id = ${siteId} AND id = ${linkId}`);
  return taken > 0;
}

/** What was asked for and not answered yet, oldest first. */
export function selectAsks(db: Queries, siteId: string, limit: number): Promise<LoginLinkRow[]> {
  return db.all(sql`
    SELECT ${columns} FROM login_links WHERE site_id = ${siteId} AND state = 'asked' ORDER BY id LIMIT ${limit}`);
}

/** Locks an ask that is to be answered; undefined when another process is at it, or was. */
export function claimAsk(tx: Transaction, siteId: string, linkId: string): Promise<LoginLinkRow | undefined> {
  return tx.get<LoginLinkRow>(sql`
    SELECT ${columns} FROM login_links
    WHERE site_id = ${siteId} AND id = ${linkId} AND state = 'asked' ${skipLocked(tx)}`);
}

/** Answers an ask; with a token when a mail goes out. From here on the code is known by its hash alone. */
export async function answerAsk(
  tx: Transaction,
  siteId: string,
  linkId: string,
  memberId: string | null,
  tokenHash: string | null,
): Promise<void> {
  await tx.run(sql`
    UPDATE login_links SET state = 'answered', code = NULL, member_id = ${memberId}, token_hash = ${tokenHash}
    WHERE site_id = ${siteId} AND id = ${linkId}`);
}

/** Starts the time of a link whose mail leaves now. Gives false when the link is gone, or a later one was asked for. */
export async function startLinkTime(
  tx: Transaction,
  siteId: string,
  linkId: string,
  expiresAt: Timestamp,
): Promise<boolean> {
  const started = await tx.run(sql`
    UPDATE login_links SET expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND id = ${linkId} AND token_hash IS NOT NULL AND ${isLatest(siteId)}`);
  return started > 0;
}

/** Deletes the links of an address. Gives their ids. */
export function deleteLinksOfEmail(tx: Transaction, siteId: string, email: string): Promise<string[]> {
  return deletedIds(
    tx,
    sql`DELETE FROM login_links WHERE site_id = ${siteId} AND email = ${email} RETURNING id`,
  );
}

/** Deletes what was asked for an address before one ask. Gives the ids. */
export function deleteLinksBefore(
  tx: Transaction,
  siteId: string,
  email: string,
  askId: string,
): Promise<string[]> {
  return deletedIds(
    tx,
    sql`DELETE FROM login_links
        WHERE site_id = ${siteId} AND email = ${email} AND (state = 'answered' OR id < ${askId}) RETURNING id`,
  );
}

/** Whether another ask for the address waits that came after one. */
export async function wasAskedAgain(
  db: Queries,
  siteId: string,
  { id, email }: Pick<LoginLinkRow, 'id' | 'email'>,
): Promise<boolean> {
  const later = await db.get(sql`
    SELECT id FROM login_links
    WHERE site_id = ${siteId} AND email = ${email} AND state = 'asked' AND id > ${id} LIMIT 1`);
  return later !== undefined;
}

/** Deletes the links of a member, whatever address they went to. Gives their ids. */
export function deleteLinksOfMember(tx: Transaction, siteId: string, memberId: string): Promise<string[]> {
  return deletedIds(
    tx,
    sql`DELETE FROM login_links WHERE site_id = ${siteId} AND member_id = ${memberId} RETURNING id`,
  );
}

export async function deleteEveryLink(tx: Transaction, siteId: string): Promise<void> {
  await tx.run(sql`DELETE FROM login_links WHERE site_id = ${siteId}`);
}

/**
 * Deletes a few links whose time is long over. All are kept as long as the mail of one may wait, also those of which no
 * mail comes: what is gone from here is gone from the pages, and would tell a stranger from a member.
 */
export function deleteOldLinks(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  const end = timestampBefore(now, loginLinkKeptHours * 60 * 60_000);
  return tx.run(sql`
    DELETE FROM login_links WHERE site_id = ${siteId} AND id IN (
      SELECT id FROM login_links WHERE site_id = ${siteId} AND created_at <= ${end} AND state = 'answered'
      LIMIT ${limit})`);
}

/** Asking again makes the links before dead, from that moment on: while it is being answered, and then they are deleted. */
function isLatest(siteId: string) {
  return sql`NOT EXISTS (
    SELECT 1 FROM login_links later
    WHERE later.site_id = ${siteId} AND later.email = login_links.email AND later.state = 'asked'
      AND later.id <> login_links.id)`;
}

async function deletedIds(tx: Transaction, statement: Sql): Promise<string[]> {
  return (await tx.all<{ id: string }>(statement)).map(({ id }) => id);
}
