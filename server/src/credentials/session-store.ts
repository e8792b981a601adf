import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import type { SessionRow } from './session.ts';

const columns = sql`id, member_id, created_at, last_seen_at, expires_at, user_agent, client_address`;

export async function insertSession(
  tx: Transaction,
  siteId: string,
  row: SessionRow,
  tokenHash: string,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO sessions (site_id, id, member_id, token_hash, created_at, last_seen_at, expires_at, user_agent, client_address)
    VALUES (${siteId}, ${row.id}, ${row.member_id}, ${tokenHash}, ${row.created_at}, ${row.last_seen_at},
            ${row.expires_at}, ${row.user_agent}, ${row.client_address})`);
}

/** A session in force. */
export function selectSession(
  db: Queries,
  siteId: string,
  tokenHash: string,
  now: Timestamp,
): Promise<SessionRow | undefined> {
  return db.get<SessionRow>(sql`
    SELECT ${columns} FROM sessions
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND expires_at > ${now}`);
}

/** The sessions of a member in force, newest first. */
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

/** Whether the member has such a session, past its time or not. */
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

/** Writes down that a session was used, unless a later use is written down. */
export async function markSeen(
  tx: Transaction,
  siteId: string,
  sessionId: string,
  at: Timestamp,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE sessions SET last_seen_at = ${at}, expires_at = ${expiresAt}
    WHERE site_id = ${siteId} AND id = ${sessionId} AND last_seen_at < ${at}`);
}

/** Gives false when there is no such session of the member, or it is past its time. */
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

/** Deletes the sessions of a member, all or but the newest few. Gives their ids. */
export async function deleteSessions(
  tx: Transaction,
  siteId: string,
  memberId: string,
  keep = 0,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND id IN (
      SELECT id FROM sessions WHERE site_id = ${siteId} AND member_id = ${memberId}
      ORDER BY id DESC LIMIT ${everything} OFFSET ${keep})
    RETURNING id`);
  return rows.map(({ id }) => id);
}

/** Deletes a few sessions past their time. */
export async function deleteExpiredSessions(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<{ id: string; member_id: string }[]> {
  return tx.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND id IN (
      SELECT id FROM sessions WHERE site_id = ${siteId} AND expires_at <= ${now} LIMIT ${limit})
    RETURNING id, member_id`);
}

const everything = 1_000_000;

export async function deleteEverySession(tx: Transaction, siteId: string): Promise<void> {
  await tx.run(sql`DELETE FROM sessions WHERE site_id = ${siteId}`);
}
