import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { type Queries, type Transaction, toBoolean } from '../../storage/database.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { SessionRow } from './session.ts';
import { isAtHost } from './session-host-store.ts';

const columns = sql`id, member_id, created_at, last_seen_at, expires_at, ends_at, user_agent, ip_address`;

export async function insertSession(
  tx: Transaction,
  siteId: string,
  row: SessionRow,
  tokenHash: string,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO sessions (site_id, id, member_id, token_hash, created_at, last_seen_at, expires_at, ends_at, user_agent,
                          ip_address)
    VALUES (${siteId}, ${row.id}, ${row.member_id}, ${tokenHash}, ${row.created_at}, ${row.last_seen_at},
            ${row.expires_at}, ${row.ends_at}, ${row.user_agent}, ${row.ip_address})`);
}

/** A valid session. @param furtherHost the domain of the host of the cookie; null for the primary host */
export function selectSession(
  db: Queries,
  siteId: string,
  tokenHash: string,
  furtherHost: string | null,
  now: Timestamp,
): Promise<SessionRow | undefined> {
  const isOfCookie =
    furtherHost === null
      ? sql`token_hash = ${tokenHash}`
      : sql`id = (SELECT session_id FROM session_hosts
                  WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND ${isAtHost(sql`domain`, furtherHost)})`;
  return db.get<SessionRow>(sql`
    SELECT ${columns} FROM sessions WHERE site_id = ${siteId} AND ${isOfCookie} AND expires_at > ${now}`);
}

export async function markOpenedByPasskey(tx: Transaction, siteId: string, sessionId: string): Promise<void> {
  await tx.run(sql`UPDATE sessions SET by_passkey = ${true} WHERE site_id = ${siteId} AND id = ${sessionId}`);
}

/** Whether a session was opened with a passkey. */
export async function wasOpenedByPasskey(db: Queries, siteId: string, sessionId: string): Promise<boolean> {
  const row = await db.get<{ by_passkey: boolean | number }>(sql`
    SELECT by_passkey FROM sessions WHERE site_id = ${siteId} AND id = ${sessionId}`);
  return row !== undefined && toBoolean(row.by_passkey);
}

/** Which of these hashes are those of the tokens of valid sessions at the primary host. */
export async function selectHashesOfSessions(
  db: Queries,
  siteId: string,
  hashes: readonly string[],
  now: Timestamp,
): Promise<string[]> {
  const rows = await db.all<{ token_hash: string }>(sql`
    SELECT token_hash FROM sessions
    WHERE site_id = ${siteId} AND token_hash IN ${valueList(hashes)} AND expires_at > ${now}`);
  return rows.map(({ token_hash }) => token_hash);
}

/** A valid session, locked until the transaction ends. */
export function lockSession(
  tx: Transaction,
  siteId: string,
  id: string,
  now: Timestamp,
): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>(sql`
    SELECT ${columns} FROM sessions WHERE site_id = ${siteId} AND id = ${id} AND expires_at > ${now} ${forUpdate(tx)}`);
}

/** The valid sessions of a member, newest first. */
export function selectSessions(
  db: Queries,
  siteId: string,
  memberId: string,
  after: string | undefined,
  now: Timestamp,
  limit: number,
): Promise<SessionRow[]> {
  return db.all<SessionRow>(sql`
    SELECT ${columns} FROM sessions
    WHERE site_id = ${siteId} AND member_id = ${memberId} AND expires_at > ${now}
      ${after === undefined ? empty : sql`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`);
}

/** Every session of a site. Only for the operators: the members of a site have too many. */
export function selectEverySession(db: Queries, siteId: string): Promise<SessionRow[]> {
  return db.all<SessionRow>(sql`SELECT ${columns} FROM sessions WHERE site_id = ${siteId}`);
}

export async function updateSessionEnd(
  tx: Transaction,
  siteId: string,
  sessionId: string,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(
    sql`UPDATE sessions SET expires_at = ${expiresAt} WHERE site_id = ${siteId} AND id = ${sessionId}`,
  );
}

/** Whether the member has this session, expired or not. */
export async function hasSession(
  db: Queries,
  siteId: string,
  memberId: string,
  sessionId: string,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT id FROM sessions WHERE site_id = ${siteId} AND id = ${sessionId} AND member_id = ${memberId}`);
  return row !== undefined;
}

/** Records that a session was used, unless a later use has been recorded. */
export async function markSeen(
  tx: Transaction,
  siteId: string,
  sessionId: string,
  at: Timestamp,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE sessions SET last_seen_at = ${at},
      expires_at = CASE WHEN ends_at < ${expiresAt} THEN ends_at ELSE ${expiresAt} END
    WHERE site_id = ${siteId} AND id = ${sessionId} AND last_seen_at < ${at}`);
}

/** Returns false when the member has no such session, or it has expired. */
export async function deleteSession(
  tx: Transaction,
  siteId: string,
  memberId: string,
  sessionId: string,
  now: Timestamp,
): Promise<boolean> {
  const deleted = await tx.run(sql`
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
  tx: Transaction,
  siteId: string,
  memberIds: readonly string[],
): Promise<SessionKey[]> {
  return tx.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
    RETURNING id, member_id`);
}

/**
 * Deletes all but the newest few sessions of a member whose row is locked. Nearly always there is nothing to delete,
 * and then reading takes a tenth of the time.
 */
export async function deleteSurplusSessions(
  tx: Transaction,
  siteId: string,
  memberId: string,
  keep: number,
): Promise<SessionKey[]> {
  const surplus = await tx.all<{ id: string }>(sql`
    SELECT id FROM sessions WHERE site_id = ${siteId} AND member_id = ${memberId}
    ORDER BY id DESC LIMIT ${everything} OFFSET ${keep}`);
  if (surplus.length === 0) return [];
  return tx.all(sql`
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
  tx: Transaction,
  siteId: string,
  ids: readonly string[],
  now: Timestamp,
): Promise<SessionKey[]> {
  return tx.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND id IN ${valueList(ids)} AND expires_at <= ${now}
    RETURNING id, member_id`);
}

const everything = 1_000_000;

/** Deletes every session of a site, also the expired ones. Returns the number of those that were valid. */
export async function deleteEverySession(tx: Transaction, siteId: string, now: Timestamp): Promise<number> {
  const valid = await tx.run(sql`DELETE FROM sessions WHERE site_id = ${siteId} AND expires_at > ${now}`);
  await tx.run(sql`DELETE FROM sessions WHERE site_id = ${siteId}`);
  return valid;
}
