import type { Site } from '@gatehouse/contract';
import { newId } from '../../base/ids.ts';
import type { Database, Queries, Transaction } from '../../storage/database.ts';
import { insertEventHead } from '../events/events.ts';
import { newSite, operatorsSlug, toSite } from './site.ts';
import { insertOperatorTenant, selectOperatorTenant, updateOperatorTenant } from './site-store.ts';

const color = '#0f766e';

/** Creates the operator tenant if it does not exist, and updates its address to the current public URL. */
export function ensureOperatorTenant(database: Database, publicUrl: string): Promise<Site> {
  return database.transaction(async (tx) => {
    const { host, protocol } = new URL(publicUrl);
    const scheme = protocol === 'https:' ? 'https' : 'http';
    const tenant = await requireOperatorTenant(tx, publicUrl);
    if (tenant.domain === host && tenant.scheme === scheme) return tenant;
    await updateOperatorTenant(tx, tenant.id, host, scheme);
    return { ...tenant, domain: host, scheme };
  });
}

/** The operator tenant, created now if no server has been started yet. */
export async function requireOperatorTenant(tx: Transaction, publicUrl: string): Promise<Site> {
  const known = await selectOperatorTenant(tx);
  if (known) return toSite(known);
  const { host, protocol } = new URL(publicUrl);
  const id = newId();
  const stored = newSite({
    id,
    slug: operatorsSlug,
    title: 'Gatehouse',
    operatorHost: host,
    scheme: protocol === 'https:' ? 'https' : 'http',
    color,
  });
  // Another process that starts at the same time may have created it first.
  if (await insertOperatorTenant(tx, stored)) await insertEventHead({ db: tx, siteId: id }, stored.createdAt);
  return findOperatorTenant(tx);
}

export async function findOperatorTenant(db: Queries): Promise<Site> {
  const row = await selectOperatorTenant(db);
  if (!row) throw new Error('The operator tenant is missing.');
  return toSite(row);
}
