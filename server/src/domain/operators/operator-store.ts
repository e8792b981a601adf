import type { OperatorRole } from '@gatehouse/contract';
import type { OperatedSite } from '@gatehouse/contract/dashboard';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { Columns } from '../../storage/sql/columns.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues, hasRow } from '../../storage/sql/results.ts';
import { forUpdate } from '../../storage/sql/row-lock.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import { methodOfSession } from '../sessions/sessions.ts';
import type { ActingOperator, RoleOfPerson, StoredOperator } from './operator.ts';

export interface SetupToken {
  readonly hash: string;
  readonly expiresAt: Timestamp;
}

const roleColumns = {
  id: 'r.id',
  personId: 'r.operator_id',
  email: 'm.email',
  displayName: 'm.display_name',
  invitedName: 'r.invited_name',
  sessionId: 'r.session_id',
  lastLoginAt: 'r.last_login_at',
  role: 'r.role',
  createdAt: 'r.created_at',
};
const columns = new Columns<RoleOfPerson>(roleColumns);

const actingColumns = new Columns<ActingOperator>({
  siteId: 't.operated_site_id',
  loggedInAt: 's.created_at',
  method: methodOfSession,
  ...roleColumns,
});

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
export function hasRoles(db: Queries): Promise<boolean> {
  return hasRow(db, sql`SELECT id FROM operator_roles LIMIT 1`);
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
  { db, siteId, now }: SiteView<Transaction>,
  personId: string,
  sessionId: string,
): Promise<void> {
  await db.run(sql`
    UPDATE operator_roles SET session_id = ${sessionId}, last_login_at = ${now}
    WHERE site_id = ${siteId} AND operator_id = ${personId}`);
}

/** Deletes the role, and every token that depends on it. */
export async function deleteRole(
  { db, siteId }: SiteData<Transaction>,
  tenantId: string,
  personId: string,
): Promise<void> {
  await db.run(sql`
    DELETE FROM operator_tokens
    WHERE site_id = ${tenantId} AND operator_id = ${personId} AND operated_site_id = ${siteId}`);
  await db.run(sql`DELETE FROM operator_roles WHERE site_id = ${siteId} AND operator_id = ${personId}`);
}

/** Selects the operators of a site, with what the tenant knows of them. */
function selectOfSite(siteId: string, tenantId: string): Sql {
  return sql`
    SELECT ${columns.list},
      (SELECT count(*) FROM passkeys p WHERE p.site_id = ${tenantId} AND p.member_id = r.operator_id) AS passkeys
    FROM operator_roles r JOIN members m ON m.site_id = ${tenantId} AND m.id = r.operator_id
    WHERE r.site_id = ${siteId}`;
}

/** The operator of a site with a role. */
export function selectOperator(
  { db, siteId }: SiteData,
  tenantId: string,
  roleId: string,
): Promise<StoredOperator | undefined> {
  return db.get(sql`${selectOfSite(siteId, tenantId)} AND r.id = ${roleId}`);
}

/** A person as an operator of a site. */
export function selectOperatorOfPerson(
  { db, siteId }: SiteData,
  tenantId: string,
  personId: string,
): Promise<StoredOperator | undefined> {
  return db.get(sql`${selectOfSite(siteId, tenantId)} AND r.operator_id = ${personId}`);
}

/** A position in the list of operators: after this one. */
export interface OperatorPosition {
  readonly id: string;
  readonly createdAt: Timestamp;
}

/** The operators of a site, the newest role first. */
export function selectOperators(
  { db, siteId }: SiteData,
  tenantId: string,
  after: OperatorPosition | undefined,
  limit: number,
): Promise<StoredOperator[]> {
  const isAfter =
    after === undefined ? empty : sql`AND (r.created_at, r.id) < (${after.createdAt}, ${after.id})`;
  return db.all(
    sql`${selectOfSite(siteId, tenantId)} ${isAfter} ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`,
  );
}

/** Whether the site has another owner. The site's row must be locked, so that the answer stays true. */
export function hasOtherOwner({ db, siteId }: SiteData<Transaction>, personId: string): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT operator_id FROM operator_roles
      WHERE site_id = ${siteId} AND role = 'owner' AND operator_id <> ${personId} LIMIT 1`,
  );
}

/** A query without a site: an operator may have roles on several. */
export function selectRolesOfPerson(
  db: Queries,
  personId: string,
): Promise<{ siteId: string; id: string; role: OperatorRole }[]> {
  return db.all(
    sql`SELECT site_id AS "siteId", id, role FROM operator_roles WHERE operator_id = ${personId} ORDER BY site_id`,
  );
}

/** The sites on which an operator has a role, oldest first. */
export function selectSitesOfPerson(db: Queries, personId: string): Promise<OperatedSite[]> {
  return db.all<OperatedSite>(sql`
    SELECT s.id, s.slug, s.title, s.domain, s.time_zone AS "timeZone", r.role, r.id AS "operatorId" FROM operator_roles r JOIN sites s ON s.id = r.site_id
    WHERE r.operator_id = ${personId} ORDER BY s.id`);
}

export interface NewOperatorToken {
  readonly hash: string;
  /** The site that the token is for. */
  readonly operatedSiteId: string;
  readonly personId: string;
  readonly sessionId: string;
  readonly expiresAt: Timestamp;
}

/** Stores a token as a row of the operator tenant, like the session that it depends on. */
export async function insertOperatorToken(
  { db, siteId: tenantId, now }: SiteView<Transaction>,
  { hash, operatedSiteId, personId, sessionId, expiresAt }: NewOperatorToken,
): Promise<void> {
  await db.run(sql`
    INSERT INTO operator_tokens (site_id, hash, operated_site_id, operator_id, session_id, created_at, expires_at)
    VALUES (${tenantId}, ${hash}, ${operatedSiteId}, ${personId}, ${sessionId}, ${now}, ${expiresAt})`);
}

/**
 * The operator of a token, if everything it depends on is valid: its lifetime, the session, the role, and an operator
 * who is not blocked. Nothing is cached, so when one of them ends, the token ends too.
 */
export function selectOperatorByToken(
  { db, siteId: tenantId, now }: SiteView,
  hash: string,
): Promise<ActingOperator | undefined> {
  return actingColumns.get(
    db,
    sql`SELECT ${actingColumns.list} FROM operator_tokens t
      JOIN operator_roles r ON r.site_id = t.operated_site_id AND r.operator_id = t.operator_id
      JOIN sessions s ON s.site_id = ${tenantId} AND s.id = t.session_id AND s.member_id = t.operator_id
      JOIN members m ON m.site_id = ${tenantId} AND m.id = s.member_id
      WHERE t.site_id = ${tenantId} AND t.hash = ${hash} AND t.expires_at > ${now} AND s.expires_at > ${now}
        AND m.status = 'active'`,
  );
}

/** Which of these hashes are those of tokens that have not expired. */
export function selectHashesOfTokens(
  { db, siteId: tenantId, now }: SiteView,
  hashes: readonly string[],
): Promise<string[]> {
  return allValues(
    db,
    sql`SELECT hash FROM operator_tokens
      WHERE site_id = ${tenantId} AND hash IN ${valueList(hashes)} AND expires_at > ${now}`,
  );
}

export const { find: findExpiredOperatorTokens, purge: purgeOperatorTokens } = expiryOf({
  table: 'operator_tokens',
  time: 'expires_at',
  key: 'hash',
});

/** Locks the setup tokens of the operators, in one order, so that no two transactions wait for each other. */
export function lockSetupTokens({ db, siteId: tenantId }: SiteData<Transaction>): Promise<SetupToken[]> {
  return db.all(sql`
    SELECT hash, expires_at AS "expiresAt" FROM setup_tokens
    WHERE site_id = ${tenantId} ORDER BY hash ${forUpdate(db)}`);
}

export async function insertSetupToken(
  { db, siteId: tenantId }: SiteData<Transaction>,
  { hash, expiresAt }: SetupToken,
): Promise<void> {
  await db.run(sql`
    INSERT INTO setup_tokens (site_id, hash, expires_at) VALUES (${tenantId}, ${hash}, ${expiresAt})`);
}

/** @param tokens that are locked */
export async function deleteSetupTokens(
  { db, siteId: tenantId }: SiteData<Transaction>,
  tokens: readonly SetupToken[],
): Promise<void> {
  if (tokens.length === 0) return;
  const hashes = valueList(tokens.map(({ hash }) => hash));
  await db.run(sql`DELETE FROM setup_tokens WHERE site_id = ${tenantId} AND hash IN ${hashes}`);
}

export function hasSetupToken({ db, siteId: tenantId, now }: SiteView, hash: string): Promise<boolean> {
  return hasRow(
    db,
    sql`SELECT hash FROM setup_tokens WHERE site_id = ${tenantId} AND hash = ${hash} AND expires_at > ${now}`,
  );
}

/** Uses a setup token, and ends all others with it. Of several simultaneous attempts, only one succeeds. */
export async function consumeSetupToken(tenant: SiteView<Transaction>, hash: string): Promise<boolean> {
  const { db, siteId: tenantId, now } = tenant;
  await lockSetupTokens(tenant);
  const ended = await db.run(sql`
    DELETE FROM setup_tokens WHERE site_id = ${tenantId} AND EXISTS (
      SELECT 1 FROM setup_tokens given
      WHERE given.site_id = ${tenantId} AND given.hash = ${hash} AND given.expires_at > ${now})`);
  return ended > 0;
}

/** Ends all setup tokens. Returns whether one of them was still valid. */
export async function endSetupTokens(tenant: SiteView<Transaction>): Promise<boolean> {
  const tokens = await lockSetupTokens(tenant);
  await deleteSetupTokens(tenant, tokens);
  return tokens.some(({ expiresAt }) => expiresAt > tenant.now);
}
