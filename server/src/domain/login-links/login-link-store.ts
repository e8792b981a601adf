import sql, { empty, raw } from 'sql-template-tag';
import { type Timestamp, timestampBefore } from '../../base/clock.ts';
import { type Queries, type Transaction, toBoolean } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate, skipLocked } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import {
  type LoginLinkRow,
  loginLinkColumns,
  loginLinkRetentionHours,
  maxCodeTries,
  type OpenLink,
} from './login-link.ts';

const columns = raw(loginLinkColumns.join(', '));

/** Of several requests with the same token of a browser, only the first is stored: its form was sent more than once. */
export async function insertLoginLink(
  { db, siteId }: SiteData<Transaction>,
  row: LoginLinkRow,
): Promise<void> {
  await db.insert(
    'login_links',
    ['site_id', ...loginLinkColumns],
    [[siteId, ...loginLinkColumns.map((column) => row[column])]],
    'ON CONFLICT (site_id, browser_hash) WHERE browser_hash IS NOT NULL DO NOTHING',
  );
}

/** The link with a token, unless it has expired or is closed. */
export function selectLinkByToken(
  { db, siteId, now }: SiteView,
  tokenHash: string,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(sql`
    SELECT ${columns} FROM login_links
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND expires_at > ${now}`);
}

/** The latest login request of a browser, whether or not a link was sent for it. */
export function selectLinkByBrowser(
  { db, siteId }: SiteData,
  browserHash: string,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(
    sql`SELECT ${columns} FROM login_links WHERE site_id = ${siteId} AND browser_hash = ${browserHash}`,
  );
}

/**
 * Counts an attempt to enter the code, unless there were too many or it has expired. Check and count are one
 * statement.
 */
export function countCodeTry(
  { db, siteId, now }: SiteView<Transaction>,
  browserHash: string,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(sql`
    UPDATE login_links SET tries = tries + 1
    WHERE site_id = ${siteId} AND browser_hash = ${browserHash} AND tries < ${maxCodeTries} AND expires_at > ${now}
      AND code_hash IS NOT NULL
    RETURNING ${columns}`);
}

/**
 * Uses up a link by its token or by its code. Of several simultaneous attempts, only one succeeds. The row stays, because
 * the pages show its state to the browser that requested it.
 */
export async function useUpLink(
  { db, siteId }: SiteData<Transaction>,
  linkId: string,
  by: 'link' | 'code',
): Promise<boolean> {
  const works = by === 'link' ? sql`token_hash IS NOT NULL` : codeWorks;
  const used = await db.run(sql`
    UPDATE login_links SET token_hash = NULL, used_session_id = NULL
    WHERE site_id = ${siteId} AND id = ${linkId} AND ${works}`);
  return used > 0;
}

/**
 * Closes the other links of an address, except those whose email still waits: these are like links that are requested a
 * moment later. Returns those that have been closed.
 */
export function closeSentLinks(
  { db, siteId }: SiteData<Transaction>,
  email: string,
): Promise<Pick<LoginLinkRow, 'id' | 'code_hash'>[]> {
  return db.all(sql`
    UPDATE login_links SET token_hash = NULL
    WHERE site_id = ${siteId} AND email = ${email} AND token_hash IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM emails m
      WHERE m.site_id = ${siteId} AND m.login_link_id = login_links.id AND m.status = 'waiting')
    RETURNING id, code_hash`);
}

/** Lets the codes of closed links continue working in the browsers that requested them. */
export async function keepCodes(
  { db, siteId }: SiteData<Transaction>,
  linkIds: readonly string[],
  sessionId: string,
): Promise<void> {
  if (linkIds.length === 0) return;
  await db.run(sql`
    UPDATE login_links SET used_session_id = ${sessionId}
    WHERE site_id = ${siteId} AND id IN ${valueList(linkIds)}`);
}

/** The sessions that links of an address opened in browsers that had not requested them, as long as a code works. */
export async function selectSessionsOfLinks({ db, siteId }: SiteData, email: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT DISTINCT used_session_id AS id FROM login_links
    WHERE site_id = ${siteId} AND email = ${email} AND used_session_id IS NOT NULL`);
  return rows.map(({ id }) => id);
}

/** Closes links, including requests that have not been processed. From then on every code is wrong. */
export async function closeLoginLinks(
  { db, siteId }: SiteData<Transaction>,
  linkIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    UPDATE login_links SET ${closed} WHERE site_id = ${siteId} AND id IN ${valueList(linkIds)}`);
}

/**
 * Locks, until the transaction ends, all open links and unprocessed requests of some addresses or members. They are
 * locked together and in a fixed order, as when emails are sent, to prevent deadlocks. The members must already be
 * locked.
 */
export async function lockOpenLinks(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
  memberIds: readonly string[] = [],
): Promise<void> {
  if (db.dialect === 'sqlite' || emails.length === 0) return;
  const ofMembers = memberIds.length === 0 ? empty : sql`OR member_id IN ${valueList(memberIds)}`;
  await db.all(sql`
    SELECT id FROM login_links
    WHERE site_id = ${siteId} AND (email IN ${valueList(new Set(emails))} ${ofMembers}) AND ${isOpen}
    ORDER BY id ${forUpdate(db)}`);
}

/** The open links of an address, including those whose email has not been sent yet, oldest first. */
export async function selectOpenLinks({ db, siteId, now }: SiteView, email: string): Promise<OpenLink[]> {
  const rows = await db.all<Omit<OpenLink, 'works'> & { works: boolean | number }>(sql`
    SELECT id, browser_hash, known_browser_id, expires_at > ${now} OR EXISTS (
      SELECT 1 FROM emails m
      WHERE m.site_id = ${siteId} AND m.login_link_id = login_links.id AND m.status = 'waiting') AS works
    FROM login_links
    WHERE site_id = ${siteId} AND email = ${email} AND token_hash IS NOT NULL ORDER BY id`);
  return rows.map((row) => ({ ...row, works: toBoolean(row.works) }));
}

/** The login requests that have not been processed, oldest first. */
export function selectLoginRequests({ db, siteId }: SiteData, limit: number): Promise<LoginLinkRow[]> {
  return db.all(sql`
    SELECT ${columns} FROM login_links WHERE site_id = ${siteId} AND status = 'requested' ORDER BY id LIMIT ${limit}`);
}

/** Locks a login request to process it; undefined when another process is handling or has handled it. */
export function claimLoginRequest(
  { db, siteId }: SiteData<Transaction>,
  linkId: string,
): Promise<LoginLinkRow | undefined> {
  return db.get<LoginLinkRow>(sql`
    SELECT ${columns} FROM login_links
    WHERE site_id = ${siteId} AND id = ${linkId} AND status = 'requested' ${skipLocked(db)}`);
}

/** Completes a login request; with a token when an email is sent. From then on only the hash of the code is stored. */
export async function closeLoginRequest(
  { db, siteId }: SiteData<Transaction>,
  linkId: string,
  memberId: string | null,
  tokenHash: string | null,
): Promise<void> {
  await db.run(sql`
    UPDATE login_links SET status = 'processed', code = NULL, member_id = ${memberId}, token_hash = ${tokenHash}
    WHERE site_id = ${siteId} AND id = ${linkId}`);
}

/** Starts the lifetime of a link when its email is sent. Returns false when the link is gone or closed. */
export async function startLinkTime(
  { db, siteId }: SiteData<Transaction>,
  linkId: string,
  expiresAt: Timestamp,
): Promise<boolean> {
  const started = await db.run(sql`
    UPDATE login_links SET expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND id = ${linkId} AND token_hash IS NOT NULL`);
  return started > 0;
}

/** Closes all open links and requests of some addresses or members. Returns their ids. */
export async function closeOpenLinks(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
  memberIds: readonly string[] = [],
): Promise<string[]> {
  const ofMembers = memberIds.length === 0 ? empty : sql`OR member_id IN ${valueList(memberIds)}`;
  const rows = await db.all<{ id: string }>(sql`
    UPDATE login_links SET ${closed}
    WHERE site_id = ${siteId} AND (email IN ${valueList(emails)} ${ofMembers}) AND ${isOpen} RETURNING id`);
  return rows.map(({ id }) => id);
}

/** Deletes all login requests of some addresses, and all links of some members. */
export async function deleteLinks(
  { db, siteId }: SiteData<Transaction>,
  emails: readonly string[],
  memberIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    DELETE FROM login_links
    WHERE site_id = ${siteId} AND (email IN ${valueList(emails)} OR member_id IN ${valueList(memberIds)})`);
}

export async function deleteEveryLink({ db, siteId }: SiteData<Transaction>): Promise<void> {
  await db.run(sql`DELETE FROM login_links WHERE site_id = ${siteId}`);
}

/**
 * A few old links, over all sites. All of them are retained as long as an email may wait, even those without an email:
 * a missing row changes the pages, and would reveal whether an address belongs to a member.
 */
export function findOldLinks(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  const end = timestampBefore(now, loginLinkRetentionHours * 60 * 60_000);
  return db.all(sql`
    SELECT site_id, id FROM login_links WHERE status = 'processed' AND created_at <= ${end}
    ORDER BY created_at LIMIT ${limit}`);
}

/** Deletes links found by `findOldLinks`. */
export async function purgeLinks(
  { db, siteId }: SiteData<Transaction>,
  rows: readonly { readonly id: string }[],
): Promise<void> {
  const ids = valueList(rows.map(({ id }) => id));
  await db.run(
    sql`DELETE FROM login_links WHERE site_id = ${siteId} AND id IN ${ids} AND status = 'processed'`,
  );
}

/** The sites with unprocessed login requests. */
export async function selectSitesWithRequests(db: Queries): Promise<string[]> {
  const rows = await db.all<{ site_id: string }>(
    sql`SELECT DISTINCT site_id FROM login_links WHERE status = 'requested'`,
  );
  return rows.map(({ site_id }) => site_id);
}

/** When the first of the unprocessed login requests was made, over all sites. */
export async function selectFirstRequestTime(db: Queries): Promise<Timestamp | undefined> {
  const row = await db.get<{ created_at: Timestamp }>(
    sql`SELECT created_at FROM login_links WHERE status = 'requested' ORDER BY created_at LIMIT 1`,
  );
  return row?.created_at;
}

const codeWorks = sql`(token_hash IS NOT NULL OR used_session_id IS NOT NULL)`;
const isOpen = sql`(token_hash IS NOT NULL OR used_session_id IS NOT NULL OR status = 'requested')`;
const closed = sql`token_hash = NULL, used_session_id = NULL, code = NULL, status = 'processed'`;
