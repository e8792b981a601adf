import sql from 'sql-template-tag';
import type { Timestamp } from '../base/clock.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import type { ChallengePurpose, PasskeyRow } from './passkey.ts';

const columns = sql`id, member_id, credential_id, public_key, counter, transports, name, created_at, last_used_at`;

export async function insertPasskey(tx: Transaction, realmId: string, row: PasskeyRow): Promise<void> {
  await tx.run(sql`
    INSERT INTO passkeys (site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES (${realmId}, ${row.id}, ${row.member_id}, ${row.credential_id}, ${row.public_key}, ${row.counter},
            ${row.transports}, ${row.name}, ${row.created_at})`);
}

/** The passkeys of an operator, newest first. */
export function selectPasskeys(db: Queries, realmId: string, operatorId: string): Promise<PasskeyRow[]> {
  return db.all<PasskeyRow>(sql`
    SELECT ${columns} FROM passkeys WHERE site_id = ${realmId} AND member_id = ${operatorId} ORDER BY id DESC`);
}

export function selectPasskey(
  db: Queries,
  realmId: string,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  return db.get<PasskeyRow>(
    sql`SELECT ${columns} FROM passkeys WHERE site_id = ${realmId} AND credential_id = ${credentialId}`,
  );
}

/**
 * Records that a passkey was used. Gives false when its counter says that this was done before; one that does not
 * count stays at 0.
 */
export async function markPasskeyUsed(
  tx: Transaction,
  realmId: string,
  passkeyId: string,
  counter: number,
  at: Timestamp,
): Promise<boolean> {
  const changed = await tx.run(sql`
    UPDATE passkeys SET counter = ${counter}, last_used_at = ${at}
    WHERE site_id = ${realmId} AND id = ${passkeyId} AND (counter < ${counter} OR counter = 0)`);
  return changed > 0;
}

export async function deletePasskeyRow(
  tx: Transaction,
  realmId: string,
  operatorId: string,
  passkeyId: string,
): Promise<boolean> {
  const deleted = await tx.run(
    sql`DELETE FROM passkeys WHERE site_id = ${realmId} AND id = ${passkeyId} AND member_id = ${operatorId}`,
  );
  return deleted > 0;
}

export async function deletePasskeysOf(tx: Transaction, realmId: string, operatorId: string): Promise<void> {
  await tx.run(sql`DELETE FROM passkeys WHERE site_id = ${realmId} AND member_id = ${operatorId}`);
}

/** Puts a challenge in the place of the one that the browser had. */
export async function saveChallenge(
  tx: Transaction,
  realmId: string,
  browserHash: string,
  purpose: ChallengePurpose,
  challenge: string,
  expiresAt: Timestamp,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO passkey_challenges (site_id, browser_hash, purpose, challenge, expires_at)
    VALUES (${realmId}, ${browserHash}, ${purpose}, ${challenge}, ${expiresAt})
    ON CONFLICT (site_id, browser_hash) DO UPDATE
    SET purpose = excluded.purpose, challenge = excluded.challenge, expires_at = excluded.expires_at`);
}

/** Takes the challenge of a browser away. Of many who try at once one gets it. */
export async function takeChallenge(
  tx: Transaction,
  realmId: string,
  browserHash: string,
  purpose: ChallengePurpose,
  now: Timestamp,
): Promise<string | undefined> {
  const row = await tx.get<{ challenge: string; expires_at: Timestamp }>(sql`
    DELETE FROM passkey_challenges
    WHERE site_id = ${realmId} AND browser_hash = ${browserHash} AND purpose = ${purpose}
    RETURNING challenge, expires_at`);
  return row && row.expires_at > now ? row.challenge : undefined;
}

export function deleteExpiredChallenges(
  tx: Transaction,
  siteId: string,
  now: Timestamp,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    DELETE FROM passkey_challenges WHERE site_id = ${siteId} AND browser_hash IN (
      SELECT browser_hash FROM passkey_challenges WHERE site_id = ${siteId} AND expires_at <= ${now} LIMIT ${limit})`);
}
