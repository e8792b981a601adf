import sql from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { type Transaction, toBoolean } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import { firstValue } from '../../storage/sql/results.ts';
import type { ChallengePurpose, NewCredential, StoredPasskey } from './passkey.ts';

const columns = sql`
  id, member_id AS "memberId", credential_id AS "credentialId", public_key AS "publicKey", counter, name,
  created_at AS "createdAt", last_used_at AS "lastUsedAt", rp_id AS "rpId", backed_up AS "backedUp",
  user_verified AS "userVerified"`;

export async function insertPasskey(
  { db, siteId }: SiteData<Transaction>,
  passkey: StoredPasskey & NewCredential,
): Promise<void> {
  await db.run(sql`
    INSERT INTO passkeys (site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at,
                          rp_id, backed_up, user_verified)
    VALUES (${siteId}, ${passkey.id}, ${passkey.memberId}, ${passkey.credentialId}, ${passkey.publicKey},
            ${passkey.counter}, ${JSON.stringify(passkey.transports)}, ${passkey.name}, ${passkey.createdAt},
            ${passkey.rpId}, ${passkey.backedUp}, ${passkey.userVerified})`);
}

/** The passkeys of a member, newest first. */
export async function selectPasskeys({ db, siteId }: SiteData, personId: string): Promise<StoredPasskey[]> {
  const rows = await db.all<StoredPasskey>(sql`
    SELECT ${columns} FROM passkeys WHERE site_id = ${siteId} AND member_id = ${personId} ORDER BY id DESC`);
  return rows.map(toStoredPasskey);
}

export async function selectPasskey(
  { db, siteId }: SiteData,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await db.get<StoredPasskey>(
    sql`SELECT ${columns} FROM passkeys WHERE site_id = ${siteId} AND credential_id = ${credentialId}`,
  );
  return row && toStoredPasskey(row);
}

/** SQLite stores booleans as numbers. */
function toStoredPasskey(row: StoredPasskey): StoredPasskey {
  const { backedUp, userVerified } = row;
  return {
    ...row,
    backedUp: backedUp !== null && toBoolean(backedUp),
    userVerified: toBoolean(userVerified),
  };
}

/**
 * Records that a passkey was used. Returns its name; undefined when its counter shows a repeated signature. A passkey
 * without a counter stays at 0.
 */
export async function markPasskeyUsed(
  { db, siteId, now }: SiteView<Transaction>,
  { id, counter, backedUp }: { readonly id: string; readonly counter: number; readonly backedUp: boolean },
): Promise<string | undefined> {
  const query = sql`
    UPDATE passkeys SET counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${now}
    WHERE site_id = ${siteId} AND id = ${id} AND (counter < ${counter} OR counter = 0)
    RETURNING name`;
  return firstValue(db, query);
}

/** When a member was asked to add a passkey. */
export function selectOfferTime({ db, siteId }: SiteData, memberId: string): Promise<Timestamp | undefined> {
  return firstValue(
    db,
    sql`SELECT offered_at FROM passkey_offers WHERE site_id = ${siteId} AND member_id = ${memberId}`,
  );
}

/** Records that a member was asked to add a passkey. The row of the member is locked, and there is no record yet. */
export async function insertOffer(
  { db, siteId, now }: SiteView<Transaction>,
  memberId: string,
): Promise<void> {
  await db.run(sql`
    INSERT INTO passkey_offers (site_id, member_id, offered_at) VALUES (${siteId}, ${memberId}, ${now})`);
}

export interface Challenge {
  readonly purpose: ChallengePurpose;
  readonly challenge: string;
  readonly expiresAt: Timestamp;
}

/** Replaces the challenge of a browser. */
export async function saveChallenge(
  { db, siteId }: SiteData<Transaction>,
  browserHash: string,
  { purpose, challenge, expiresAt }: Challenge,
): Promise<void> {
  await db.run(sql`
    INSERT INTO passkey_challenges (site_id, browser_hash, purpose, challenge, expires_at)
    VALUES (${siteId}, ${browserHash}, ${purpose}, ${challenge}, ${expiresAt})
    ON CONFLICT (site_id, browser_hash) DO UPDATE
    SET purpose = excluded.purpose, challenge = excluded.challenge, expires_at = excluded.expires_at`);
}

/** Deletes and returns the challenge of a browser. Of several simultaneous attempts, only one succeeds. */
export async function deleteChallenge(
  { db, siteId, now }: SiteView<Transaction>,
  browserHash: string,
  purpose: ChallengePurpose,
): Promise<string | undefined> {
  const row = await db.get<Omit<Challenge, 'purpose'>>(sql`
    DELETE FROM passkey_challenges
    WHERE site_id = ${siteId} AND browser_hash = ${browserHash} AND purpose = ${purpose}
    RETURNING challenge, expires_at AS "expiresAt"`);
  return row && row.expiresAt > now ? row.challenge : undefined;
}

export const { find: findExpiredChallenges, purge: purgeChallenges } = expiryOf({
  table: 'passkey_challenges',
  time: 'expires_at',
  key: 'browser_hash',
});
