import sql from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { TableColumns } from '../../storage/sql/columns.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import type { PendingIdentity } from './provider-login.ts';

const pending = new TableColumns<PendingIdentity>('pending_identities', {
  browserHash: 'browser_hash',
  providerId: 'provider_id',
  issuer: 'issuer',
  subject: 'subject',
  email: 'email',
  label: 'label',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
});

/** Stores the account of a browser. Its token is new, so that it has no other. */
export async function insertPendingIdentity(
  view: SiteData<Transaction>,
  identity: PendingIdentity,
): Promise<void> {
  await pending.insert(view, [identity]);
}

export function selectPendingIdentity(
  view: SiteView,
  browserHash: string,
): Promise<PendingIdentity | undefined> {
  return pending.first(view, sql`AND browser_hash = ${browserHash} AND expires_at > ${view.now}`);
}

/** Returns false when it was no longer there. Of several simultaneous attempts, only one succeeds. */
export async function deletePendingIdentity(
  { db, siteId }: SiteData<Transaction>,
  browserHash: string,
): Promise<boolean> {
  const deleted = await db.run(
    sql`DELETE FROM pending_identities WHERE site_id = ${siteId} AND browser_hash = ${browserHash}`,
  );
  return deleted > 0;
}

export const { find: findExpiredPendingIdentities, purge: purgePendingIdentities } = expiryOf({
  table: 'pending_identities',
  time: 'expires_at',
  key: 'browser_hash',
});
