import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { type Queries, type Transaction, toBoolean } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { jsonColumn, TableColumns } from '../../storage/sql/columns.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues, firstValue } from '../../storage/sql/results.ts';
import { forUpdate, skipLocked } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { loginLinkRetentionHours, maxCodeTries, type OpenLink, type StoredLoginLink } from './login-link.ts';

const columns = new TableColumns<StoredLoginLink>('login_links', {
  id: 'id',
  email: 'email',
  memberId: 'member_id',
  tokenHash: 'token_hash',
  browserHash: 'browser_hash',
  knownBrowserId: 'known_browser_id',
  code: 'code',
  codeHash: 'code_hash',
  tries: 'tries',
  next: 'next_path',
  language: 'language',
  origin: 'origin',
  usedSessionId: 'used_session_id',
  status: 'status',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  sessionEndsAt: 'session_ends_at',
  joining: jsonColumn('joining'),
});

/** Of several requests with the same token of a browser, only the first is stored: its form was sent more than once. */
export async function insertLoginLink(view: SiteData<Transaction>, link: StoredLoginLink): Promise<void> {
  await columns.insert(view, [link], {
    ending: 'ON CONFLICT (site_id, browser_hash) WHERE browser_hash IS NOT NULL DO NOTHING',
  });
}

/** The link with a token, unless it has expired or is closed. */
export function selectLinkByToken(view: SiteView, tokenHash: string): Promise<StoredLoginLink | undefined> {
  return columns.first(view, sql`AND token_hash = ${tokenHash} AND expires_at > ${view.now}`);
}

/** The latest login request of a browser, whether or not a link was sent for it. */
export function selectLinkByBrowser(
  view: SiteData,
  browserHash: string,
): Promise<StoredLoginLink | undefined> {
  return columns.first(view, sql`AND browser_hash = ${browserHash}`);
}

/**
 * Counts an attempt to enter the code, unless there were too many or it has expired. Check and count are one
 * statement.
 */
export function countCodeTry(
  { db, siteId, now }: SiteView<Transaction>,
  browserHash: string,
): Promise<StoredLoginLink | undefined> {
  return columns.get(
    db,
    sql`
    UPDATE login_links SET tries = tries + 1
    WHERE site_id = ${siteId} AND browser_hash = ${browserHash} AND tries < ${maxCodeTries} AND expires_at > ${now}
      AND code_hash IS NOT NULL
    RETURNING ${columns.list}`,
  );
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
): Promise<Pick<StoredLoginLink, 'id' | 'codeHash'>[]> {
  return db.all(sql`
    UPDATE login_links SET token_hash = NULL
    WHERE site_id = ${siteId} AND email = ${email} AND token_hash IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM emails m
      WHERE m.site_id = ${siteId} AND m.login_link_id = login_links.id AND m.status = 'waiting')
    RETURNING id, code_hash AS "codeHash"`);
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
export function selectSessionsOfLinks({ db, siteId }: SiteData, email: string): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT used_session_id FROM login_links
      WHERE site_id = ${siteId} AND email = ${email} AND used_session_id IS NOT NULL`,
  );
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
    SELECT id, browser_hash AS "browserHash", known_browser_id AS "knownBrowserId", expires_at > ${now} OR EXISTS (
      SELECT 1 FROM emails m
      WHERE m.site_id = ${siteId} AND m.login_link_id = login_links.id AND m.status = 'waiting') AS works
    FROM login_links
    WHERE site_id = ${siteId} AND email = ${email} AND token_hash IS NOT NULL ORDER BY id`);
  return rows.map((row) => ({ ...row, works: toBoolean(row.works) }));
}

/** The login requests that have not been processed, oldest first. */
export function selectLoginRequests(view: SiteData, limit: number): Promise<StoredLoginLink[]> {
  return columns.find(view, sql`AND status = 'requested' ORDER BY id LIMIT ${limit}`);
}

/** Locks a login request to process it; undefined when another process is handling or has handled it. */
export function claimLoginRequest(
  view: SiteData<Transaction>,
  linkId: string,
): Promise<StoredLoginLink | undefined> {
  return columns.first(view, sql`AND id = ${linkId} AND status = 'requested' ${skipLocked(view.db)}`);
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
  return allValues(
    db,
    sql`UPDATE login_links SET ${closed}
      WHERE site_id = ${siteId} AND (email IN ${valueList(emails)} ${ofMembers}) AND ${isOpen} RETURNING id`,
  );
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

export function deleteEveryLink({ db, siteId }: SiteData<Transaction>): Promise<number> {
  return db.run(sql`DELETE FROM login_links WHERE site_id = ${siteId}`);
}

/**
 * Old links. All of them are retained as long as an email may wait, even those without an email:
 * a missing row changes the pages, and would reveal whether an address belongs to a member.
 */
export const { find: findOldLinks, purge: purgeLinks } = expiryOf({
  table: 'login_links',
  time: 'created_at',
  retentionMilliseconds: loginLinkRetentionHours * 60 * 60_000,
  condition: "status = 'processed' AND ",
});

/** The sites with unprocessed login requests. */
export function selectSitesWithRequests(db: Queries): Promise<string[]> {
  return allValues(db, sql`SELECT DISTINCT site_id FROM login_links WHERE status = 'requested'`);
}

/** When the first of the unprocessed login requests was made, over all sites. */
export function selectFirstRequestTime(db: Queries): Promise<Timestamp | undefined> {
  return firstValue(
    db,
    sql`SELECT created_at FROM login_links WHERE status = 'requested' ORDER BY created_at LIMIT 1`,
  );
}

const codeWorks = sql`(token_hash IS NOT NULL OR used_session_id IS NOT NULL)`;
const isOpen = sql`(token_hash IS NOT NULL OR used_session_id IS NOT NULL OR status = 'requested')`;
const closed = sql`token_hash = NULL, used_session_id = NULL, code = NULL, status = 'processed'`;
