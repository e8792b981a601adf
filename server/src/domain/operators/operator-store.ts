import type { OperatorRole } from '@gatehouse/contract';
import type { OperatedSite } from '@gatehouse/contract/dashboard';
import sql, { empty } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { OperatorRow } from './operator.ts';

export interface SetupToken {
  readonly hash: string;
  readonly expires_at: Timestamp;
}

const columns = sql`
  r.id, r.operator_id AS person_id, m.email, m.display_name, r.invited_name, r.session_id, r.last_login_at, r.role, r.created_at`;

export interface NewRole {
  readonly id: string;
  readonly personId: string;
  readonly role: OperatorRole;
  readonly invitedName: string | null;
  readonly createdAt: Timestamp;
}

/** Returns false when the operator already has a role on the site. */
export async function insertRole(
  { db, siteId }: SiteData<Transaction>,
  { id, personId, role, invitedName, createdAt }: NewRole,
): Promise<boolean> {
  const inserted = await db.run(sql`
    INSERT INTO operator_roles (site_id, operator_id, id, role, invited_name, created_at)
    VALUES (${siteId}, ${personId}, ${id}, ${role}, ${invitedName}, ${createdAt})
    ON CONFLICT (site_id, operator_id) DO NOTHING`);
  return inserted > 0;
}

/** Whether anyone has a role on any site. An operator has at least one. */
export async function hasRoles(db: Queries): Promise<boolean> {
  return (await db.get(sql`SELECT id FROM operator_roles LIMIT 1`)) !== undefined;
}

export async function updateRole(
  { db, siteId }: SiteData<Transaction>,
  personId: string,
  role: OperatorRole,
): Promise<void> {
  await db.run(
    sql`UPDATE operator_roles SET role = ${role} WHERE site_id = ${siteId} AND operator_id = ${personId}`,
  );
}

/** Records that an operator has used a site with a session. */
export async function markOperatorSeen(
  { db, siteId }: SiteData<Transaction>,
  personId: string,
  sessionId: string,
  at: Timestamp,
): Promise<void> {
  await db.run(sql`
    UPDATE operator_roles SET session_id = ${sessionId}, last_login_at = ${at}
    WHERE site_id = ${siteId} AND operator_id = ${personId}`);
}

/** Deletes the role, and every token that depends on it. */
export async function deleteRole(
  tx: Transaction,
  tenantId: string,
  siteId: string,
  personId: string,
): Promise<void> {
  await tx.run(sql`
    DELETE FROM operator_tokens
    WHERE site_id = ${tenantId} AND operator_id = ${personId} AND operated_site_id = ${siteId}`);
  await tx.run(sql`DELETE FROM operator_roles WHERE site_id = ${siteId} AND operator_id = ${personId}`);
}

/** The operator of a site with a role. */
export function selectOperator(
  db: Queries,
  tenantId: string,
  siteId: string,
  roleId: string,
): Promise<OperatorRow | undefined> {
  return db.get<OperatorRow>(sql`
    SELECT ${columns} FROM operator_roles r JOIN members m ON m.site_id = ${tenantId} AND m.id = r.operator_id
    WHERE r.site_id = ${siteId} AND r.id = ${roleId}`);
}

/** A person as an operator of a site. */
export function selectOperatorOfPerson(
  db: Queries,
  tenantId: string,
  siteId: string,
  personId: string,
): Promise<OperatorRow | undefined> {
  return db.get<OperatorRow>(sql`
    SELECT ${columns} FROM operator_roles r JOIN members m ON m.site_id = ${tenantId} AND m.id = r.operator_id
    WHERE r.site_id = ${siteId} AND r.operator_id = ${personId}`);
}

/** A position in the list of operators: after this one. */
export interface OperatorPosition {
  readonly id: string;
  readonly createdAt: Timestamp;
}

/** The operators of a site, the newest role first. */
export function selectOperators(
  db: Queries,
  tenantId: string,
  siteId: string,
  after: OperatorPosition | undefined,
  limit: number,
): Promise<OperatorRow[]> {
  return db.all<OperatorRow>(sql`
    SELECT ${columns} FROM operator_roles r JOIN members m ON m.site_id = ${tenantId} AND m.id = r.operator_id
    WHERE r.site_id = ${siteId} ${after === undefined ? empty : sql`AND (r.created_at, r.id) < (${after.createdAt}, ${after.id})`}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`);
}

/** Whether the site has another owner. The site's row must be locked, so that the answer stays true. */
export async function hasOtherOwner(
  { db, siteId }: SiteData<Transaction>,
  personId: string,
): Promise<boolean> {
  const other = await db.get(sql`
    SELECT operator_id FROM operator_roles
    WHERE site_id = ${siteId} AND role = 'owner' AND operator_id <> ${personId} LIMIT 1`);
  return other !== undefined;
}

/** A query without a site: an operator may have roles on several. */
export async function selectRolesOfPerson(
  db: Queries,
  personId: string,
): Promise<{ site_id: string; id: string; role: OperatorRole }[]> {
  return db.all(
    sql`SELECT site_id, id, role FROM operator_roles WHERE operator_id = ${personId} ORDER BY site_id`,
  );
}

/** The sites on which an operator has a role, oldest first. */
export function selectSitesOfPerson(db: Queries, personId: string): Promise<OperatedSite[]> {
  return db.all<OperatedSite>(sql`
    SELECT s.id, s.slug, s.title, s.domain, s.time_zone AS "timeZone", r.role, r.id AS "operatorId" FROM operator_roles r JOIN sites s ON s.id = r.site_id
    WHERE r.operator_id = ${personId} ORDER BY s.id`);
}

/** The operator of a token. */
export interface ActingOperatorRow extends OperatorRow {
  site_id: string;
  logged_in_at: string;
  by_passkey: boolean | number;
}

export interface NewOperatorToken {
  readonly hash: string;
  /** The site that the token is for. */
  readonly operatedSiteId: string;
  readonly personId: string;
  readonly sessionId: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** Stores a token as a row of the operator tenant, like the session that it depends on. */
export async function insertOperatorToken(
  tx: Transaction,
  tenantId: string,
  { hash, operatedSiteId, personId, sessionId, createdAt, expiresAt }: NewOperatorToken,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO operator_tokens (site_id, hash, operated_site_id, operator_id, session_id, created_at, expires_at)
    VALUES (${tenantId}, ${hash}, ${operatedSiteId}, ${personId}, ${sessionId}, ${createdAt}, ${expiresAt})`);
}

/**
 * The operator of a token, if everything it depends on is valid: its lifetime, the session, the role, and an operator
 * who is not blocked. Nothing is cached, so when one of them ends, the token ends too.
 */
export function selectOperatorByToken(
  db: Queries,
  tenantId: string,
  hash: string,
  now: Timestamp,
): Promise<ActingOperatorRow | undefined> {
  return db.get(sql`
    SELECT t.operated_site_id AS site_id, s.created_at AS logged_in_at, s.by_passkey, ${columns} FROM operator_tokens t
    JOIN operator_roles r ON r.site_id = t.operated_site_id AND r.operator_id = t.operator_id
    JOIN sessions s ON s.site_id = ${tenantId} AND s.id = t.session_id AND s.member_id = t.operator_id
    JOIN members m ON m.site_id = ${tenantId} AND m.id = s.member_id
    WHERE t.site_id = ${tenantId} AND t.hash = ${hash} AND t.expires_at > ${now} AND s.expires_at > ${now} AND m.status = 'active'`);
}

/** Which of these hashes are those of tokens that have not expired. */
export async function selectHashesOfTokens(
  db: Queries,
  tenantId: string,
  hashes: readonly string[],
  now: Timestamp,
): Promise<string[]> {
  const rows = await db.all<{ hash: string }>(sql`
    SELECT hash FROM operator_tokens
    WHERE site_id = ${tenantId} AND hash IN ${valueList(hashes)} AND expires_at > ${now}`);
  return rows.map(({ hash }) => hash);
}

/** A few expired tokens. */
export function selectExpiredOperatorTokens(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; hash: string }[]> {
  return db.all(sql`
    SELECT site_id, hash FROM operator_tokens WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`);
}

/** Deletes those of the given tokens that have expired. */
export async function deleteExpiredOperatorTokens(
  { db, siteId, now }: SiteView<Transaction>,
  hashes: readonly string[],
): Promise<void> {
  await db.run(sql`
    DELETE FROM operator_tokens
    WHERE site_id = ${siteId} AND hash IN ${valueList(hashes)} AND expires_at <= ${now}`);
}

/** Locks the setup tokens of the operators, in one order, so that no two transactions wait for each other. */
export function lockSetupTokens(tx: Transaction, tenantId: string): Promise<SetupToken[]> {
  return tx.all(sql`
    SELECT hash, expires_at FROM setup_tokens WHERE site_id = ${tenantId} ORDER BY hash ${forUpdate(tx)}`);
}

export async function insertSetupToken(
  tx: Transaction,
  tenantId: string,
  hash: string,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO setup_tokens (site_id, hash, expires_at) VALUES (${tenantId}, ${hash}, ${expiresAt})`);
}

/** @param hashes of locked tokens */
export async function deleteSetupTokens(
  tx: Transaction,
  tenantId: string,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  await tx.run(sql`DELETE FROM setup_tokens WHERE site_id = ${tenantId} AND hash IN ${valueList(hashes)}`);
}

export async function hasSetupToken(
  db: Queries,
  tenantId: string,
  hash: string,
  now: Timestamp,
): Promise<boolean> {
  const row = await db.get(sql`
    SELECT hash FROM setup_tokens WHERE site_id = ${tenantId} AND hash = ${hash} AND expires_at > ${now}`);
  return row !== undefined;
}

/** Uses a setup token, and ends all others with it. Of several simultaneous attempts, only one succeeds. */
export async function consumeSetupToken(
  tx: Transaction,
  tenantId: string,
  hash: string,
  now: Timestamp,
): Promise<boolean> {
  await lockSetupTokens(tx, tenantId);
  const ended = await tx.run(sql`
    DELETE FROM setup_tokens WHERE site_id = ${tenantId} AND EXISTS (
      SELECT 1 FROM setup_tokens given
      WHERE given.site_id = ${tenantId} AND given.hash = ${hash} AND given.expires_at > ${now})`);
  return ended > 0;
}

/** Ends all setup tokens. Returns whether one of them was still valid. */
export async function endSetupTokens(tx: Transaction, tenantId: string, now: Timestamp): Promise<boolean> {
  const tokens = await lockSetupTokens(tx, tenantId);
  await deleteSetupTokens(
    tx,
    tenantId,
    tokens.map(({ hash }) => hash),
  );
  return tokens.some(({ expires_at }) => expires_at > now);
}
