import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { KnownBrowserRow } from './known-browser.ts';

const columns = sql`id, member_id, token_hash, last_login_at`;

export async function selectSigningKey({ db, siteId }: SiteData): Promise<string | undefined> {
  const row = await db.get<{ signing_key: string }>(
    sql`SELECT signing_key FROM known_browser_keys WHERE site_id = ${siteId}`,
  );
  return row?.signing_key;
}

/** Stores the signing key of a site unless it has one. */
export async function insertSigningKey(
  { db, siteId }: SiteData<Transaction>,
  signingKey: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO known_browser_keys (site_id, signing_key) VALUES (${siteId}, ${signingKey})
    ON CONFLICT (site_id) DO NOTHING`);
}

/**
 * The members who have logged in with a browser since a time. The email address is not part of the query, so that it
 * cannot affect the response time.
 */
export function selectMembersOfBrowser(
  { db, siteId }: SiteData,
  tokenHash: string,
  since: Timestamp,
): Promise<{ id: string; email: string }[]> {
  return db.all(sql`
    SELECT b.id, m.email FROM known_browsers b
    JOIN members m ON m.site_id = ${siteId} AND m.id = b.member_id
    WHERE b.site_id = ${siteId} AND b.token_hash = ${tokenHash} AND b.last_login_at > ${since}`);
}

/** Which of these hashes are those of the tokens of browsers that are known since a time. */
export async function selectHashesOfBrowsers(
  { db, siteId }: SiteData,
  hashes: readonly string[],
  since: Timestamp,
): Promise<string[]> {
  const rows = await db.all<{ token_hash: string }>(sql`
    SELECT DISTINCT token_hash FROM known_browsers
    WHERE site_id = ${siteId} AND token_hash IN ${valueList(hashes)} AND last_login_at > ${since}`);
  return rows.map(({ token_hash }) => token_hash);
}

/** Locks the rows of a browser, the latest login first. */
export async function lockBrowser(
  { db, siteId }: SiteData<Transaction>,
  tokenHash: string,
): Promise<KnownBrowserRow[]> {
  const rows = await db.all<KnownBrowserRow>(sql`
    SELECT ${columns} FROM known_browsers
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} ORDER BY id ${forUpdate(db)}`);
  return rows.sort((a, b) => (a.last_login_at < b.last_login_at ? 1 : -1));
}

export async function insertKnownBrowser(
  { db, siteId }: SiteData<Transaction>,
  row: KnownBrowserRow,
): Promise<void> {
  await db.run(sql`
    INSERT INTO known_browsers (site_id, id, member_id, token_hash, last_login_at)
    VALUES (${siteId}, ${row.id}, ${row.member_id}, ${row.token_hash}, ${row.last_login_at})`);
}

export async function renewToken(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    UPDATE known_browsers SET token_hash = ${tokenHash} WHERE site_id = ${siteId} AND id IN ${valueList(ids)}`);
}

export async function markBrowserUsed({ db, siteId, now }: SiteView<Transaction>, id: string): Promise<void> {
  await db.run(
    sql`UPDATE known_browsers SET last_login_at = ${now} WHERE site_id = ${siteId} AND id = ${id}`,
  );
}

export async function deleteKnownBrowsers(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
): Promise<void> {
  await db.run(sql`DELETE FROM known_browsers WHERE site_id = ${siteId} AND id IN ${valueList(ids)}`);
}

/** Deletes all but the latest few browsers of a member whose row is locked. */
export async function deleteSurplusBrowsers(
  view: SiteData<Transaction>,
  memberId: string,
  keep: number,
): Promise<void> {
  const { db, siteId } = view;
  const surplus = await db.all<{ id: string }>(sql`
    SELECT id FROM known_browsers WHERE site_id = ${siteId} AND member_id = ${memberId}
    ORDER BY last_login_at DESC, id DESC LIMIT ${everything} OFFSET ${keep}`);
  if (surplus.length === 0) return;
  const ids = surplus.map(({ id }) => id);
  await deleteKnownBrowsers(view, ids);
}

/** Deletes the browsers of members, all or all but one. */
export async function deleteBrowsersOfMembers(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
  exceptTokenHash: string | null,
): Promise<number> {
  return db.run(sql`
    DELETE FROM known_browsers WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
    ${exceptTokenHash === null ? empty : sql`AND token_hash <> ${exceptTokenHash}`}`);
}

export async function deleteEveryKnownBrowser({ db, siteId }: SiteData<Transaction>): Promise<void> {
  await db.run(sql`DELETE FROM known_browsers WHERE site_id = ${siteId}`);
}

/** A few browsers without a login since a time, over all sites. */
export function selectBrowsersUnusedSince(
  db: Queries,
  since: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM known_browsers WHERE last_login_at <= ${since} ORDER BY last_login_at LIMIT ${limit}`);
}

/** Deletes those of the given browsers that have had no login since a time. */
export async function deleteBrowsersUnusedSince(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
  since: Timestamp,
): Promise<void> {
  await db.run(sql`
    DELETE FROM known_browsers
    WHERE site_id = ${siteId} AND id IN ${valueList(ids)} AND last_login_at <= ${since}`);
}

const everything = 1_000_000;
