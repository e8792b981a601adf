import type { OperatorRole, Site } from '@gatehouse/contract';
import type { Timestamp } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import { createSite, findSite, type NewSite } from '../sites/sites.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { insertRole, selectRolesOfOperator } from './operator-store.ts';

/** A site as its operators name it, and what one of them is on it. */
export type OperatedSite = Pick<Site, 'id' | 'slug' | 'title' | 'domain'> & { readonly role: OperatorRole };

/** The sites that an operator has a role on, oldest first. */
export async function listSitesOfOperator(db: Queries, operatorId: string): Promise<OperatedSite[]> {
  const roles = await selectRolesOfOperator(db, operatorId);
  return Promise.all(
    roles.map(async ({ site_id, role }) => ({ ...named(await findSite(db, site_id)), role })),
  );
}

/**
 * Makes another site for an operator who owns one already, and who owns it then.
 * @throws Refusal `permission_denied`, `invalid_request`, `site_slug_taken`, `site_domain_taken`
 */
export async function createSiteAsOperator(
  tx: Transaction,
  operatorId: string,
  input: NewSite,
  at: Timestamp,
): Promise<OperatedSite> {
  const roles = await selectRolesOfOperator(tx, operatorId);
  if (!roles.some(({ role }) => role === 'owner')) {
    throw new Refusal('permission_denied', 'Ask the owner of a site: only owners make further ones.');
  }
  const site = await createSite(tx, input);
  await insertRole(tx, site.id, operatorId, 'owner', at);
  return { ...named(site), role: 'owner' };
}

function named({ id, slug, title, domain }: Site) {
  return { id, slug, title, domain };
}
