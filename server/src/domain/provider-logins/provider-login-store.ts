import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { TableColumns } from '../../storage/sql/columns.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import type { ProviderLogin } from './provider-login.ts';

const logins = new TableColumns<ProviderLogin>('provider_logins', {
  stateHash: 'state_hash',
  browserHash: 'browser_hash',
  providerId: 'provider_id',
  nonce: 'nonce',
  codeVerifier: 'code_verifier',
  next: 'next_path',
  language: 'language',
  memberId: 'member_id',
  sessionId: 'session_id',
  code: 'code',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
});

export async function insertProviderLogin(view: SiteData<Transaction>, login: ProviderLogin): Promise<void> {
  await logins.insert(view, [login]);
}

/** Deletes all but the newest few logins of a browser. */
export async function deleteSurplusLogins(
  { db, siteId }: SiteData<Transaction>,
  browserHash: string,
  keep: number,
): Promise<void> {
  await db.run(sql`
    DELETE FROM provider_logins
    WHERE site_id = ${siteId} AND browser_hash = ${browserHash} AND state_hash NOT IN (
      SELECT state_hash FROM provider_logins
      WHERE site_id = ${siteId} AND browser_hash = ${browserHash} ORDER BY created_at DESC LIMIT ${keep})`);
}

/** Stores the code of a login at a provider of a type, once. */
export async function storeCode(
  { db, siteId, now }: SiteView<Transaction>,
  stateHash: string,
  code: string,
  type: string,
): Promise<boolean> {
  const changed = await db.run(sql`
    UPDATE provider_logins SET code = ${code}
    WHERE site_id = ${siteId} AND state_hash = ${stateHash} AND expires_at > ${now} AND code IS NULL AND EXISTS (
      SELECT 1 FROM login_providers p
      WHERE p.site_id = ${siteId} AND p.id = provider_logins.provider_id AND p.type = ${type} AND p.enabled)`);
  return changed > 0;
}

/** Deletes and returns the login of a browser. Of several simultaneous attempts, only one succeeds. */
export function deleteProviderLogin(
  { db, siteId }: SiteData<Transaction>,
  stateHash: string,
  browserHash: string,
): Promise<ProviderLogin | undefined> {
  return logins.get(
    db,
    sql`
    DELETE FROM provider_logins
    WHERE site_id = ${siteId} AND state_hash = ${stateHash} AND browser_hash = ${browserHash}
    RETURNING ${logins.list}`,
  );
}

export const { find: findExpiredProviderLogins, purge: purgeProviderLogins } = expiryOf({
  table: 'provider_logins',
  time: 'expires_at',
  key: 'state_hash',
});
