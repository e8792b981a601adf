import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { type Queries, type Transaction, toBoolean } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { SessionRow } from './session.ts';
import { isAtHost } from './session-host-store.ts';

const columns = sql`id, member_id, created_at, last_seen_at, expires_at, ends_at, user_agent, ip_address`;

export async function insertSession(
  { db, siteId }: SiteData<Transaction>,
  row: SessionRow,
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO sessions (site_id, id, member_id, token_hash, created_at, last_seen_at, expires_at, ends_at, user_agent,
                          ip_address)
    VALUES (${siteId}, ${row.id}, ${row.member_id}, ${tokenHash}, ${row.created_at}, ${row.last_seen_at},
            ${row.expires_at}, ${row.ends_at}, ${row.user_agent}, ${row.ip_address})`);
}

/** A valid session. @param furtherHost the domain of the host of the cookie; null for the primary host */
export function selectSession(
  { db, siteId, now }: SiteView,
  tokenHash: string,
  furtherHost: string | null,
): Promise<SessionRow | undefined> {
  const isOfCookie =
    furtherHost === null
      ? sql`token_hash = ${tokenHash}`
      : sql`id = (SELECT session_id FROM session_hosts
                  WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND ${isAtHost(sql`domain`, furtherHost)})`;
  return db.get<SessionRow>(sql`
    SELECT ${columns} FROM sessions WHERE site_id = ${siteId} AND ${isOfCookie} AND expires_at > ${now}`);
}

export async function markOpenedByPasskey(
  { db, siteId }: SiteData<Transaction>,
  sessionId: string,
): Promise<void> {
  await db.run(sql`UPDATE sessions SET by_passkey = ${true} WHERE site_id = ${siteId} AND id = ${sessionId}`);
}

/** Whether a session was opened with a passkey. */
export async function wasOpenedByPasskey({ db, siteId }: SiteData, sessionId: string): Promise<boolean> {
  const row = await db.get<{ by_passkey: boolean | number }>(sql`
    SELECT by_passkey FROM sessions WHERE site_id = ${siteId} AND id = ${sessionId}`);
  return row !== undefined && toBoolean(row.by_passkey);
}

/** Which of these hashes are those of the tokens of valid sessions at the primary host. */
export async function selectHashesOfSessions(
  { db, siteId, now }: SiteView,
  hashes: readonly string[],
): Promise<string[]> {
  const rows = await db.all<{ token_hash: string }>(sql`
    SELECT token_hash FROM sessions
    WHERE site_id = ${siteId} AND token_hash IN ${valueList(hashes)} AND expires_at > ${now}`);
  return rows.map(({ token_hash }) => token_hash);
}

/** A valid session, locked until the transaction ends. */
export function lockSession(
  { db, siteId, now }: SiteView<Transaction>,
  id: string,
): Promise<SessionRow | undefined> {
  return db.get<SessionRow>(sql`
    SELECT ${columns} FROM sessions WHERE site_id = ${siteId} AND id = ${id} AND expires_at > ${now} ${forUpdate(db)}`);
}

/** The valid sessions of a member, newest first. */
export function selectSessions(
  { db, siteId, now }: SiteView,
  memberId: string,
  after: string | undefined,
  limit: number,
): Promise<SessionRow[]> {
  return db.all<SessionRow>(sql`
    SELECT ${columns} FROM sessions
    WHERE site_id = ${siteId} AND member_id = ${memberId} AND expires_at > ${now}
      ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

/** Every session of a site. Only for the operators: the members of a site have too many. */
export function selectEverySession({ db, siteId }: SiteData): Promise<SessionRow[]> {
  return db.all<SessionRow>(sql`SELECT ${columns} FROM sessions WHERE site_id = ${siteId}`);
}

export async function updateSessionEnd(
  { db, siteId }: SiteData<Transaction>,
  sessionId: string,
  expiresAt: Timestamp,
): Promise<void> {
  await db.run(
    sql`UPDATE sessions SET expires_at = ${expiresAt} WHERE site_id = ${siteId} AND id = ${sessionId}`,
  );
}

/** Whether the member has this session, expired or not. */
export async function hasSession(
  { db, siteId }: SiteData,
  memberId: string,
  sessionId: string,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT id FROM sessions WHERE site_id = ${siteId} AND id = ${sessionId} AND member_id = ${memberId}`);
  return row !== undefined;
}

/** Records that a session was used, unless a later use has been recorded. */
export async function markSeen(
  { db, siteId }: SiteData<Transaction>,
  sessionId: string,
  at: Timestamp,
  expiresAt: Timestamp,
): Promise<void> {
  await db.run(sql`
    UPDATE sessions SET last_seen_at = ${at},
      expires_at = CASE WHEN ends_at < ${expiresAt} THEN ends_at ELSE ${expiresAt} END
    WHERE site_id = ${siteId} AND id = ${sessionId} AND last_seen_at < ${at}`);
}

/** Returns false when the member has no such session, or it has expired. */
export async function deleteSession(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
  sessionId: string,
): Promise<boolean> {
  const deleted = await db.run(sql`
    DELETE FROM sessions
    WHERE site_id = ${siteId} AND id = ${sessionId} AND member_id = ${memberId} AND expires_at > ${now}`);
  return deleted > 0;
}

/** Identifies a deleted session. */
export interface SessionKey {
  id: string;
  member_id: string;
}

/** Deletes every session of some members. */
export function deleteSessionsOf(
  { db, siteId }: SiteData<Transaction>,
  memberIds: readonly string[],
): Promise<SessionKey[]> {
  return db.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
    RETURNING id, member_id`);
}

/**
 * Deletes all but the newest few sessions of a member whose row is locked. Nearly always there is nothing to delete,
 * and then reading takes a tenth of the time.
 */
export async function deleteSurplusSessions(
  { db, siteId }: SiteData<Transaction>,
  memberId: string,
  keep: number,
): Promise<SessionKey[]> {
  const surplus = await db.all<{ id: string }>(sql`
    SELECT id FROM sessions WHERE site_id = ${siteId} AND member_id = ${memberId}
    ORDER BY id DESC LIMIT ${everything} OFFSET ${keep}`);
  if (surplus.length === 0) return [];
  return db.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND id IN ${valueList(surplus.map(({ id }) => id))}
    RETURNING id, member_id`);
}

/** A few expired sessions, over all sites. */
export function selectExpiredSessions(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; id: string }[]> {
  return db.all(sql`
    SELECT site_id, id FROM sessions WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`);
}

/** Deletes those of the given sessions that have expired. */
export async function deleteExpiredSessions(
  { db, siteId, now }: SiteView<Transaction>,
  ids: readonly string[],
): Promise<SessionKey[]> {
  return db.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND id IN ${valueList(ids)} AND expires_at <= ${now}
    RETURNING id, member_id`);
}

const everything = 1_000_000;

/** Deletes every session of a site, also the expired ones. Returns the number of those that were valid. */
export async function deleteEverySession({ db, siteId, now }: SiteView<Transaction>): Promise<number> {
  const valid = await db.run(sql`DELETE FROM sessions WHERE site_id = ${siteId} AND expires_at > ${now}`);
  await db.run(sql`DELETE FROM sessions WHERE site_id = ${siteId}`);
  return valid;
}
