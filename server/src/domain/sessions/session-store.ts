import type { Session } from '@gatehouse/contract';
import sql, { raw } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { allValues } from '../../storage/sql/results.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { CredentialKey, CredentialTable } from '../credentials/credentials.ts';
import { isOpenedByEmail, type StoredSession } from './session.ts';
import { isAtHost } from './session-host-store.ts';

/** How a session was opened; null if an older version opened it by email. */
export const methodOfSession = "COALESCE(method, CASE WHEN by_passkey THEN 'passkey' END)";

const columns = sql`
  id, member_id AS "memberId", ${raw(methodOfSession)} AS method, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
  expires_at AS "expiresAt", user_agent AS "userAgent", ip_address AS "ipAddress"`;

export const sessionTable: CredentialTable = {
  name: 'sessions',
  columns,
  isValid: (now) => sql`expires_at > ${now}`,
};

export async function insertSession(
  { db, siteId }: SiteData<Transaction>,
  session: StoredSession,
  tokenHash: string,
): Promise<void> {
  // The version before reads only `by_passkey`, and takes every other session for a login by email.
  const byPasskey = !isOpenedByEmail(session);
  await db.run(sql`
    INSERT INTO sessions (site_id, id, member_id, token_hash, created_at, last_seen_at, expires_at, ends_at, user_agent,
                          ip_address, method, by_passkey)
    VALUES (${siteId}, ${session.id}, ${session.memberId}, ${tokenHash}, ${session.createdAt}, ${session.lastSeenAt},
            ${session.expiresAt}, ${session.endsAt}, ${session.userAgent}, ${session.ipAddress}, ${session.method},
            ${byPasskey})`);
}

/** A valid session. @param furtherHost the domain of the host of the cookie; null for the primary host */
export function selectSession(
  { db, siteId, now }: SiteView,
  tokenHash: string,
  furtherHost: string | null,
): Promise<StoredSession | undefined> {
  const isOfCookie =
    furtherHost === null
      ? sql`token_hash = ${tokenHash}`
      : sql`id = (SELECT session_id FROM session_hosts
                  WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND ${isAtHost(sql`domain`, furtherHost)})`;
  return db.get<StoredSession>(sql`
    SELECT ${columns}, ends_at AS "endsAt" FROM sessions
    WHERE site_id = ${siteId} AND ${isOfCookie} AND expires_at > ${now}`);
}

/** A valid session, locked until the transaction ends. */
export function lockSession(
  { db, siteId, now }: SiteView<Transaction>,
  id: string,
): Promise<StoredSession | undefined> {
  return db.get(sql`
    SELECT ${columns}, ends_at AS "endsAt" FROM sessions
    WHERE site_id = ${siteId} AND id = ${id} AND expires_at > ${now} ${forUpdate(db)}`);
}

/** Every session of a site. Only for the operators: the members of a site have too many. */
export function selectEverySession({ db, siteId }: SiteData): Promise<Session[]> {
  return db.all(sql`SELECT ${columns} FROM sessions WHERE site_id = ${siteId}`);
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

/** Records that a session was used now, unless a later use has been recorded. */
export async function markSeen(
  { db, siteId, now }: SiteView<Transaction>,
  sessionId: string,
  expiresAt: Timestamp,
): Promise<void> {
  await db.run(sql`
    UPDATE sessions SET last_seen_at = ${now},
      expires_at = CASE WHEN ends_at < ${expiresAt} THEN ends_at ELSE ${expiresAt} END
    WHERE site_id = ${siteId} AND id = ${sessionId} AND last_seen_at < ${now}`);
}

/**
 * Deletes all but the newest few sessions of a member whose row is locked. Nearly always there is nothing to delete,
 * and then reading takes a tenth of the time.
 */
export async function deleteSurplusSessions(
  { db, siteId }: SiteData<Transaction>,
  memberId: string,
  keep: number,
): Promise<CredentialKey[]> {
  const surplus = await allValues<string>(
    db,
    sql`SELECT id FROM sessions WHERE site_id = ${siteId} AND member_id = ${memberId}
      ORDER BY id DESC LIMIT ${everything} OFFSET ${keep}`,
  );
  if (surplus.length === 0) return [];
  return db.all(sql`
    DELETE FROM sessions WHERE site_id = ${siteId} AND id IN ${valueList(surplus)}
    RETURNING id, member_id AS "memberId"`);
}

const everything = 1_000_000;

/** Deletes every session of a site, also the expired ones. Returns the number of those that were valid. */
export async function deleteEverySession({ db, siteId, now }: SiteView<Transaction>): Promise<number> {
  const valid = await db.run(sql`DELETE FROM sessions WHERE site_id = ${siteId} AND expires_at > ${now}`);
  await db.run(sql`DELETE FROM sessions WHERE site_id = ${siteId}`);
  return valid;
}
