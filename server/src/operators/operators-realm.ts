import type { Site } from '@gatehouse/contract';
import { newId, timeOfId } from '../base/ids.ts';
import { insertEventHead } from '../events/events.ts';
import { operatorsSlug } from '../sites/realm.ts';
import { type SiteRow, toSite } from '../sites/site.ts';
import { insertRealm, selectRealm, updateRealm } from '../sites/site-store.ts';
import type { Database, Queries, Transaction } from '../storage/database.ts';

const colour = '#0f766e';

/** Makes the operators' hidden site where there is none yet, and has it found at the address that Gatehouse now has. */
export function keepOperatorsRealm(database: Database, publicUrl: string): Promise<Site> {
  return database.transaction(async (tx) => {
    const { host, protocol } = new URL(publicUrl);
    const scheme = protocol === 'https:' ? 'https' : 'http';
    const realm = await requireOperatorsRealm(tx, publicUrl);
    if (realm.domain === host && realm.scheme === scheme) return realm;
    await updateRealm(tx, realm.id, host, scheme);
    return { ...realm, domain: host, scheme };
  });
}

/** The operators' hidden site, made now where no server has started yet. */
export async function requireOperatorsRealm(tx: Transaction, publicUrl: string): Promise<Site> {
  const known = await selectRealm(tx);
  if (known) return toSite(known);
  const { host, protocol } = new URL(publicUrl);
  const id = newId();
  const row: SiteRow = {
    id,
    slug: operatorsSlug,
    title: 'Gatehouse',
    domain: null,
    realm_host: host,
    scheme: protocol === 'https:' ? 'https' : 'http',
    languages: null,
    sign_up_policy: 'members_only',
    sign_up_domains: '[]',
    colour,
    logo_version: null,
    status: 'active',
    created_at: timeOfId(id),
  };
  // Another process of the same start may be first.
  if (await insertRealm(tx, row)) await insertEventHead(tx, id);
  return findOperatorsRealm(tx);
}

export async function findOperatorsRealm(db: Queries): Promise<Site> {
  const row = await selectRealm(db);
  if (!row) throw new Error('The site of the operators is gone.');
  return toSite(row);
}
