import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import type { AddressChange, AddressReversal } from './address-change.ts';

const changeColumns = sql`
  session_id AS "sessionId", member_id AS "memberId", email, code_hash AS "codeHash", tries,
  created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Stores a change, instead of the one that was requested in the session before. */
export async function saveChange(
  { db, siteId }: SiteData<Transaction>,
  { sessionId, memberId, email, codeHash, tries, createdAt, expiresAt }: AddressChange,
): Promise<void> {
  await db.run(sql`
    INSERT INTO address_changes (site_id, session_id, member_id, email, code_hash, tries, created_at, expires_at)
    VALUES (${siteId}, ${sessionId}, ${memberId}, ${email}, ${codeHash}, ${tries}, ${createdAt}, ${expiresAt})
    ON CONFLICT (site_id, session_id) DO UPDATE
    SET email = excluded.email, code_hash = excluded.code_hash, tries = excluded.tries,
        created_at = excluded.created_at, expires_at = excluded.expires_at`);
}

/** The change of a session that has not expired. */
export function selectChange(
  { db, siteId, now }: SiteView,
  sessionId: string,
): Promise<AddressChange | undefined> {
  return db.get(sql`
    SELECT ${changeColumns} FROM address_changes
    WHERE site_id = ${siteId} AND session_id = ${sessionId} AND expires_at > ${now}`);
}

/** Counts an attempt to enter the code. Undefined when there is no change for which it can be entered. */
export function countTry(
  { db, siteId, now }: SiteView<Transaction>,
  sessionId: string,
  maxTries: number,
): Promise<AddressChange | undefined> {
  return db.get(sql`
    UPDATE address_changes SET tries = tries + 1
    WHERE site_id = ${siteId} AND session_id = ${sessionId} AND expires_at > ${now} AND tries < ${maxTries}
    RETURNING ${changeColumns}`);
}

export async function deleteChange({ db, siteId }: SiteData<Transaction>, sessionId: string): Promise<void> {
  await db.run(sql`DELETE FROM address_changes WHERE site_id = ${siteId} AND session_id = ${sessionId}`);
}

const reversalColumns = sql`
  id, member_id AS "memberId", old_email AS "oldEmail", new_email AS "newEmail", changed_at AS "changedAt",
  expires_at AS "expiresAt"`;

export async function insertReversal(
  { db, siteId }: SiteData<Transaction>,
  { id, memberId, oldEmail, newEmail, changedAt, expiresAt }: AddressReversal,
  tokenHash: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO address_reversals (site_id, id, member_id, token_hash, old_email, new_email, changed_at, expires_at)
    VALUES (${siteId}, ${id}, ${memberId}, ${tokenHash}, ${oldEmail}, ${newEmail}, ${changedAt}, ${expiresAt})`);
}

/** A reversal that has not expired. */
export function selectReversal(
  { db, siteId, now }: SiteView,
  tokenHash: string,
): Promise<AddressReversal | undefined> {
  return db.get(sql`
    SELECT ${reversalColumns} FROM address_reversals
    WHERE site_id = ${siteId} AND token_hash = ${tokenHash} AND expires_at > ${now}`);
}

/** The reversal of the latest change of a member. */
export function selectNewestReversal(
  { db, siteId }: SiteData,
  memberId: string,
): Promise<AddressReversal | undefined> {
  return db.get(sql`
    SELECT ${reversalColumns} FROM address_reversals
    WHERE site_id = ${siteId} AND member_id = ${memberId} ORDER BY id DESC LIMIT 1`);
}

/** Deletes a reversal and those of the member's later changes. */
export async function deleteReversalsFrom(
  { db, siteId }: SiteData<Transaction>,
  { memberId, id }: AddressReversal,
): Promise<void> {
  await db.run(sql`
    DELETE FROM address_reversals WHERE site_id = ${siteId} AND member_id = ${memberId} AND id >= ${id}`);
}

export const { find: findExpiredAddressChanges, purge: purgeAddressChanges } = expiryOf({
  table: 'address_changes',
  time: 'expires_at',
  key: 'session_id',
});

export const { find: findExpiredReversals, purge: purgeReversals } = expiryOf({
  table: 'address_reversals',
  time: 'expires_at',
});
