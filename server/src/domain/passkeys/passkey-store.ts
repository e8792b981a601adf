import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { ChallengePurpose, PasskeyRow } from './passkey.ts';

const columns = sql`id, member_id, credential_id, public_key, counter, transports, name, created_at, last_used_at`;

export async function insertPasskey(tx: Transaction, tenantId: string, row: PasskeyRow): Promise<void> {
  await tx.run(sql`
    INSERT INTO passkeys (site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES (${tenantId}, ${row.id}, ${row.member_id}, ${row.credential_id}, ${row.public_key}, ${row.counter},
            ${row.transports}, ${row.name}, ${row.created_at})`);
}

/** The passkeys of an operator, newest first. */
export function selectPasskeys(db: Queries, tenantId: string, personId: string): Promise<PasskeyRow[]> {
  return db.all<PasskeyRow>(sql`
    SELECT ${columns} FROM passkeys WHERE site_id = ${tenantId} AND member_id = ${personId} ORDER BY id DESC`);
}

export function selectPasskey(
  db: Queries,
  tenantId: string,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  return db.get<PasskeyRow>(
    sql`SELECT ${columns} FROM passkeys WHERE site_id = ${tenantId} AND credential_id = ${credentialId}`,
  );
}

/**
 * Records that a passkey was used. Returns false when its counter shows a repeated signature; a passkey without a
 * counter stays at 0.
 */
export async function markPasskeyUsed(
  tx: Transaction,
  tenantId: string,
  passkeyId: string,
  counter: number,
  at: Timestamp,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE passkeys SET counter = ${counter}, last_used_at = ${at}
    WHERE site_id = ${tenantId} AND id = ${passkeyId} AND (counter < ${counter} OR counter = 0)`);
  return changed > 0;
}

export async function deletePasskeyRow(
  tx: Transaction,
  tenantId: string,
  personId: string,
  passkeyId: string,
): Promise<boolean> {
  const deleted = await tx.run(
    sql`DELETE FROM passkeys WHERE site_id = ${tenantId} AND id = ${passkeyId} AND member_id = ${personId}`,
  );
  return deleted > 0;
}

export async function deletePasskeysOf(tx: Transaction, tenantId: string, personId: string): Promise<void> {
  await tx.run(sql`DELETE FROM passkeys WHERE site_id = ${tenantId} AND member_id = ${personId}`);
}

/** Replaces the challenge of a browser. */
export async function saveChallenge(
  tx: Transaction,
  tenantId: string,
  browserHash: string,
  purpose: ChallengePurpose,
  challenge: string,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO passkey_challenges (site_id, browser_hash, purpose, challenge, expires_at)
    VALUES (${tenantId}, ${browserHash}, ${purpose}, ${challenge}, ${expiresAt})
    ON CONFLICT (site_id, browser_hash) DO UPDATE
    SET purpose = excluded.purpose, challenge = excluded.challenge, expires_at = excluded.expires_at`);
}

/** Deletes and returns the challenge of a browser. Of several simultaneous attempts, only one succeeds. */
export async function deleteChallenge(
  tx: Transaction,
  tenantId: string,
  browserHash: string,
  purpose: ChallengePurpose,
  now: Timestamp,
): Promise<string | undefined> {
  const row = await tx.get<{ challenge: string; expires_at: Timestamp }>(sql`
    DELETE FROM passkey_challenges
    WHERE site_id = ${tenantId} AND browser_hash = ${browserHash} AND purpose = ${purpose}
    RETURNING challenge, expires_at`);
  return row && row.expires_at > now ? row.challenge : undefined;
}

/** A few expired challenges, over all sites. */
export function selectExpiredChallenges(
  db: Queries,
  now: Timestamp,
  limit: number,
): Promise<{ site_id: string; browser_hash: string }[]> {
  return db.all(sql`
    SELECT site_id, browser_hash FROM passkey_challenges WHERE expires_at <= ${now}
    ORDER BY expires_at LIMIT ${limit}`);
}

/** Deletes the expired challenges of the given browsers. */
export async function deleteExpiredChallenges(
  { db, siteId, now }: SiteView<Transaction>,
  browserHashes: readonly string[],
): Promise<void> {
  await db.run(sql`
    DELETE FROM passkey_challenges
    WHERE site_id = ${siteId} AND browser_hash IN ${valueList(browserHashes)} AND expires_at <= ${now}`);
}
