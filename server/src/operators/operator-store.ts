import type { OperatorRole, Site } from '@gatehouse/contract';
import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import type { OperatorRow } from './operator.ts';

const columns = sql`
  m.id, m.email, m.display_name, r.invited_name, r.session_id, r.last_login_at, r.role, r.created_at`;

/** Gives false when the operator has a role on the site already. */
export async function insertRole(
  tx: Transaction,
  siteId: string,
  operatorId: string,
  role: OperatorRole,
  invitedName: string | null,
  at: Timestamp,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    INSERT INTO operator_roles (site_id, operator_id, role, invited_name, created_at)
    VALUES (${siteId}, ${operatorId}, ${role}, ${invitedName}, ${at})
    ON CONFLICT (site_id, operator_id) DO NOTHING`);
  return inserted > 0;
}

export async function updateRole(
  tx: Transaction,
  siteId: string,
  operatorId: string,
  role: OperatorRole,
): Promise<void> {
  await tx.run(
    sql`UPDATE operator_roles SET role = ${role} WHERE site_id = ${siteId} AND operator_id = ${operatorId}`,
  );
}

/** Records that an operator has come to a site with a session. */
export async function markOperatorSeen(
  tx: Transaction,
  siteId: string,
  operatorId: string,
  sessionId: string,
  at: Timestamp,
): Promise<void> {
  await tx.run(sql`
    UPDATE operator_roles SET session_id = ${sessionId}, last_login_at = ${at}
    WHERE site_id = ${siteId} AND operator_id = ${operatorId}`);
}

/** Takes the role away, and every token that went with it. */
export async function deleteRole(tx: Transaction, siteId: string, operatorId: string): Promise<void> {
  await tx.run(sql`DELETE FROM operator_tokens WHERE site_id = ${siteId} AND operator_id = ${operatorId}`);
  await tx.run(sql`DELETE FROM operator_roles WHERE site_id = ${siteId} AND operator_id = ${operatorId}`);
}

export function selectOperator(
  db: Queries,
  realmId: string,
  siteId: string,
  operatorId: string,
): Promise<OperatorRow | undefined> {
  return db.get<OperatorRow>(sql`
    SELECT ${columns} FROM operator_roles r JOIN members m ON m.site_id = ${realmId} AND m.id = r.operator_id
    WHERE r.site_id = ${siteId} AND r.operator_id = ${operatorId}`);
}

/** A place in the list of operators: after this one. */
export interface OperatorPlace {
  readonly id: string;
  readonly createdAt: Timestamp;
}

/** The operators of a site, the newest role first. */
export function selectOperators(
  db: Queries,
  realmId: string,
  siteId: string,
  after: OperatorPlace | undefined,
  limit: number,
): Promise<OperatorRow[]> {
  return db.all<OperatorRow>(sql`
    SELECT ${columns} FROM operator_roles r JOIN members m ON m.site_id = ${realmId} AND m.id = r.operator_id
    WHERE r.site_id = ${siteId} ${after === undefined ? empty : sql`AND (r.created_at, r.operator_id) < (${after.createdAt}, ${after.id})`}
    ORDER BY r.created_at DESC, r.operator_id DESC LIMIT ${limit}`);
}

/** Whether the site has another owner. The site's row is locked, so that it stays so. */
export async function hasOtherOwner(tx: Transaction, siteId: string, operatorId: string): Promise<boolean> {
  const other = await tx.get(sql`
    SELECT operator_id FROM operator_roles
    WHERE site_id = ${siteId} AND role = 'owner' AND operator_id <> ${operatorId} LIMIT 1`);
  return other !== undefined;
}

/** A look-up without a site: an operator may have roles on several. */
export async function selectRolesOfOperator(
  db: Queries,
  operatorId: string,
): Promise<{ site_id: string; role: OperatorRole }[]> {
  return db.all(
    sql`SELECT site_id, role FROM operator_roles WHERE operator_id = ${operatorId} ORDER BY site_id`,
  );
}

/** A site as its operators name it, and what one of them is on it. */
export type OperatedSite = Pick<Site, 'id' | 'slug' | 'title' | 'domain'> & { readonly role: OperatorRole };

/** The sites that an operator has a role on, oldest first. */
export function selectSitesOfOperator(db: Queries, operatorId: string): Promise<OperatedSite[]> {
  return db.all<OperatedSite>(sql`
    SELECT s.id, s.slug, s.title, s.domain, r.role FROM operator_roles r JOIN sites s ON s.id = r.site_id
    WHERE r.operator_id = ${operatorId} ORDER BY s.id`);
}

export interface NewOperatorToken {
  readonly hash: string;
  readonly operatorId: string;
  readonly sessionId: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export async function insertOperatorToken(
  tx: Transaction,
  siteId: string,
  { hash, operatorId, sessionId, createdAt, expiresAt }: NewOperatorToken,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO operator_tokens (site_id, hash, operator_id, session_id, created_at, expires_at)
    VALUES (${siteId}, ${hash}, ${operatorId}, ${sessionId}, ${createdAt}, ${expiresAt})`);
}

/**
 * Who goes by a token, if everything that it hangs on is still there: its time, the session, the role, and an operator
 * who is not blocked. Nothing of it is remembered, so that the end of each is the end of the token. It is a look-up
 * without a site: the token is what names the site.
 */
export function selectOperatorByToken(
  db: Queries,
  realmId: string,
  hash: string,
  now: Timestamp,
): Promise<(OperatorRow & { site_id: string }) | undefined> {
  return db.get(sql`
    SELECT t.site_id, ${columns} FROM operator_tokens t
    JOIN operator_roles r ON r.site_id = t.site_id AND r.operator_id = t.operator_id
    JOIN sessions s ON s.site_id = ${realmId} AND s.id = t.session_id AND s.member_id = t.operator_id
    JOIN members m ON m.site_id = s.site_id AND m.id = s.member_id
    WHERE t.hash = ${hash} AND t.expires_at > ${now} AND s.expires_at > ${now} AND m.status = 'active'`);
}

export function deleteExpiredOperatorTokens(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    DELETE FROM operator_tokens WHERE site_id = ${siteId} AND hash IN (
      SELECT hash FROM operator_tokens WHERE site_id = ${siteId} AND expires_at <= ${now} LIMIT ${limit})`);
}

/** Puts a welcome token in the place of the one before. */
export async function saveWelcome(
  tx: Transaction,
  realmId: string,
  hash: string,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO welcome_tokens (site_id, hash, expires_at) VALUES (${realmId}, ${hash}, ${expiresAt})
    ON CONFLICT (site_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`);
}

export async function hasWelcome(
  db: Queries,
  realmId: string,
  hash: string,
  now: Timestamp,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT hash FROM welcome_tokens WHERE site_id = ${realmId} AND hash = ${hash} AND expires_at > ${now}`);
  return row !== undefined;
}

/** Uses a welcome token. Of many who try at once one gets it. */
export async function takeWelcome(
  tx: Transaction,
  realmId: string,
  hash: string,
  now: Timestamp,
): Promise<boolean> {
  const taken = await tx.run(sql`
    DELETE FROM welcome_tokens WHERE site_id = ${realmId} AND hash = ${hash} AND expires_at > ${now}`);
  return taken > 0;
}

export async function deleteWelcome(tx: Transaction, realmId: string): Promise<void> {
  await tx.run(sql`DELETE FROM welcome_tokens WHERE site_id = ${realmId}`);
}
