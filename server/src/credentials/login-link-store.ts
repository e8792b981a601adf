import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import { type Queries, type Transaction, toBoolean } from '../storage/database.ts';
import { forUpdate, skipLocked } from '../storage/row-lock.ts';
import {
  type LoginLinkRow,
  loginLinkColumns,
  loginLinkKeptHours,
  mostCodeTries,
  type OpenLink,
} from './login-link.ts';

const columns = raw(loginLinkColumns.join(', '));

export async function insertLoginLink(tx: Transaction, siteId: string, row: LoginLinkRow): Promise<void> {
  await tx.insert(
    'login_links',
    ['site_id', ...loginLinkColumns],
    [[siteId, ...loginLinkColumns.map((column) => row[column])]],
  );
}

/** The link that a token opens, unless its time is over or it was closed. */
export function selectLinkByToken(
  db: Queries,
  siteId: string,
  tokenHash: string,
  now: Timestamp,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(sql`
    SELECT ${columns} FROM login_links
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND expires_at > ${now}`);
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
      AND code_hash IS NOT NULL
    RETURNING ${columns}`);
}

/**
 * Closes a link: from here on it is as that of a stranger, whose code is always wrong. The row stays, and with it what
 * the pages tell the browser that asked. Of many who try at once one closes it.
 */
export async function closeLoginLink(tx: Transaction, siteId: string, linkId: string): Promise<boolean> {
  const closed = await tx.run(sql`
    UPDATE login_links SET token_hash = NULL
    WHERE site_id = ${siteId} AND id = ${linkId} AND token_hash IS NOT NULL`);
  return closed > 0;
}

/** Closes some links, answered or not. */
export async function closeLoginLinks(
  tx: Transaction,
  siteId: string,
  linkIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    UPDATE login_links SET token_hash = NULL, code = NULL, state = 'answered'
    WHERE site_id = ${siteId} AND id IN (${join([...linkIds])})`);
}

/**
 * Locks what can still log in with some addresses, or as some members, or is yet to be answered, until the transaction
 * ends: all of it at once and in one order, as emails that are sent lock their links, so that no two wait for each
 * other. Whose the addresses are is locked before.
 */
export async function lockOpenLinks(
  tx: Transaction,
  siteId: string,
  emails: readonly string[],
  memberIds: readonly string[] = [],
): Promise<void> {
  if (tx.dialect === 'sqlite' || emails.length === 0) return;
  const ofMembers = memberIds.length === 0 ? empty : sql`OR member_id IN (${join([...memberIds])})`;
  await tx.all(sql`
    SELECT id FROM login_links
    WHERE site_id = ${siteId} AND (email IN (${join([...new Set(emails)])}) ${ofMembers}) AND ${isOpen}
    ORDER BY id ${forUpdate(tx)}`);
}

/** The links of an address that log in, or will once their mail has left, oldest first. */
export async function selectOpenLinks(
  db: Queries,
  siteId: string,
  email: string,
  now: Timestamp,
): Promise<OpenLink[]> {
  const rows = await db.all<Omit<OpenLink, 'works'> & { works: boolean | number }>(sql`
    SELECT id, browser_hash, known_browser_id, expires_at > ${now} OR EXISTS (
      SELECT 1 FROM mails m
      WHERE m.site_id = ${siteId} AND m.login_link_id = login_links.id AND m.state = 'waiting') AS works
    FROM login_links
    WHERE site_id = ${siteId} AND email = ${email} AND token_hash IS NOT NULL ORDER BY id`);
  return rows.map((row) => ({ ...row, works: toBoolean(row.works) }));
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

/** Starts the time of a link whose mail leaves now. Gives false when the link is gone or closed. */
export async function startLinkTime(
  tx: Transaction,
  siteId: string,
  linkId: string,
  expiresAt: Timestamp,
): Promise<boolean> {
  const started = await tx.run(sql`
    UPDATE login_links SET expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND id = ${linkId} AND token_hash IS NOT NULL`);
  return started > 0;
}

/** Closes what can still log in with an address. Gives the ids. */
export function closeLinksOfEmail(tx: Transaction, siteId: string, email: string): Promise<string[]> {
  return changedIds(
    tx,
    sql`UPDATE login_links SET token_hash = NULL, code = NULL, state = 'answered'
        WHERE site_id = ${siteId} AND email = ${email} AND ${isOpen} RETURNING id`,
  );
}

/** Closes the links of a member, whatever address they went to. Gives their ids. */
export function closeLinksOfMember(tx: Transaction, siteId: string, memberId: string): Promise<string[]> {
  return changedIds(
    tx,
    sql`UPDATE login_links SET token_hash = NULL, code = NULL, state = 'answered'
        WHERE site_id = ${siteId} AND member_id = ${memberId} AND ${isOpen} RETURNING id`,
  );
}

/** Deletes whatever was requested for an address or a member. */
export async function deleteLinksOf(
  tx: Transaction,
  siteId: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  await tx.run(sql`DELETE FROM login_links WHERE site_id = ${siteId} AND email = ${email}`);
  await tx.run(sql`DELETE FROM login_links WHERE site_id = ${siteId} AND member_id = ${id}`);
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

const isOpen = sql`(token_hash IS NOT NULL OR state = 'asked')`;

async function changedIds(tx: Transaction, statement: Sql): Promise<string[]> {
  return (await tx.all<{ id: string }>(statement)).map(({ id }) => id);
}
