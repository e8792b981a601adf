import sql, { raw } from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { countOf } from '../../storage/sql/results.ts';
import { valueList } from '../../storage/sql/value-list.ts';
import type { AccountKey, NewIdentity, StoredIdentity } from './identity.ts';

const columns = raw(`
  i.id, i.member_id AS "memberId", i.provider_id AS "providerId", p.name AS "providerName", i.issuer, i.subject, i.email,
  i.label, i.created_at AS "createdAt", i.last_used_at AS "lastUsedAt", i.proven_email AS "provenEmail"`);

/** The identities of members, newest first. */
export function selectIdentities(
  { db, siteId }: SiteData,
  memberIds: readonly string[],
): Promise<StoredIdentity[]> {
  return db.all<StoredIdentity>(sql`
    SELECT ${columns} FROM member_identities i
    JOIN login_providers p ON p.site_id = ${siteId} AND p.id = i.provider_id
    WHERE i.site_id = ${siteId} AND i.member_id IN ${valueList(memberIds)} ORDER BY i.id DESC`);
}

/** Whose an account is. */
export function selectOwner(
  { db, siteId }: SiteData,
  { issuer, subject }: AccountKey,
): Promise<{ readonly memberId: string } | undefined> {
  return db.get(sql`
    SELECT member_id AS "memberId" FROM member_identities
    WHERE site_id = ${siteId} AND issuer = ${issuer} AND subject = ${subject}`);
}

/** Returns false when the account has been linked already. */
export async function insertIdentity(
  { db, siteId, now }: SiteView<Transaction>,
  id: string,
  identity: NewIdentity,
): Promise<boolean> {
  const inserted = await db.run(sql`
    INSERT INTO member_identities
      (site_id, id, member_id, provider_id, issuer, subject, email, label, proven_email, created_at, last_used_at)
    VALUES (${siteId}, ${id}, ${identity.memberId}, ${identity.providerId}, ${identity.issuer}, ${identity.subject},
            ${identity.email}, ${identity.label}, ${identity.provenEmail}, ${now}, NULL)
    ON CONFLICT (site_id, issuer, subject) DO NOTHING`);
  return inserted > 0;
}

/** Records a login. Returns false when the account is no longer that of the member. */
export async function markIdentityUsed(
  { db, siteId, now }: SiteView<Transaction>,
  { issuer, subject }: AccountKey,
  memberId: string,
): Promise<boolean> {
  const changed = await db.run(sql`
    UPDATE member_identities SET last_used_at = ${now}
    WHERE site_id = ${siteId} AND issuer = ${issuer} AND subject = ${subject} AND member_id = ${memberId}`);
  return changed > 0;
}

export function countIdentities({ db, siteId }: SiteData, memberId: string): Promise<number> {
  return countOf(
    db,
    sql`SELECT count(*) AS count FROM member_identities WHERE site_id = ${siteId} AND member_id = ${memberId}`,
  );
}

export async function deleteIdentityRows(
  { db, siteId }: SiteData<Transaction>,
  ids: readonly string[],
): Promise<void> {
  await db.run(sql`DELETE FROM member_identities WHERE site_id = ${siteId} AND id IN ${valueList(ids)}`);
}

/** How many members have an account at each provider. */
export function selectMemberCounts({ db, siteId }: SiteData): Promise<{ id: string; count: number }[]> {
  return db.all(sql`
    SELECT provider_id AS id, count(DISTINCT member_id) AS count FROM member_identities
    WHERE site_id = ${siteId} GROUP BY provider_id`);
}
