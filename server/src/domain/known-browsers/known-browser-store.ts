import sql, { empty } from 'sql-template-tag';
import { millisecondsPerDay, type Timestamp } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues, firstValue } from '../../storage/sql/results.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { type KnownMember, knownBrowserDays } from './known-browser.ts';

export function selectSigningKey({ db, siteId }: SiteData): Promise<string | undefined> {
  return firstValue(db, sql`SELECT signing_key FROM known_browser_keys WHERE site_id = ${siteId}`);
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
export function selectHashesOfBrowsers(
  { db, siteId }: SiteData,
  hashes: readonly string[],
  since: Timestamp,
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT DISTINCT token_hash FROM known_browsers
    WHERE site_id = ${siteId} AND token_hash IN ${valueList(hashes)} AND last_login_at > ${since}`,
  );
}

/** Locks the rows of a browser, the latest login first. */
export async function lockBrowser(
  { db, siteId }: SiteData<Transaction>,
  tokenHash: string,
): Promise<KnownMember[]> {
  const members = await db.all<KnownMember>(sql`
    SELECT id, member_id AS "memberId", last_login_at AS "lastLoginAt" FROM known_browsers
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} ORDER BY id ${forUpdate(db)}`);
  return members.sort((a, b) => (a.lastLoginAt < b.lastLoginAt ? 1 : -1));
}

export async function insertKnownBrowser(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO known_browsers (site_id, id, member_id, token_hash, last_login_at)
    VALUES (${siteId}, ${newId()}, ${memberId}, ${tokenHash}, ${now})`);
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
  const surplus = await allValues<string>(
    db,
    sql`SELECT id FROM known_browsers WHERE site_id = ${siteId} AND member_id = ${memberId}
    ORDER BY last_login_at DESC, id DESC LIMIT ${everything} OFFSET ${keep}`,
  );
  if (surplus.length > 0) await deleteKnownBrowsers(view, surplus);
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

export function deleteEveryKnownBrowser({ db, siteId }: SiteData<Transaction>): Promise<number> {
  return db.run(sql`DELETE FROM known_browsers WHERE site_id = ${siteId}`);
}

/** Browsers that are no longer known. Those stay in which a member has logged in since they were found. */
export const { find: findExpiredBrowsers, purge: purgeKnownBrowsers } = expiryOf({
  table: 'known_browsers',
  time: 'last_login_at',
  retentionMilliseconds: knownBrowserDays * millisecondsPerDay,
});

const everything = 1_000_000;
