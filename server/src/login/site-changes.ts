import type { Site, UpdateSite } from '@gatehouse/contract';
import { requireCustomGroups } from '../access-groups/access-groups.ts';
import type { Cause } from '../base/cause.ts';
import { withdrawEveryCredential } from '../credentials/credentials.ts';
import type { Precondition } from '../routing/precondition.ts';
import { originOf } from '../sites/site.ts';
import { lockSite } from '../sites/site-store.ts';
import { findSite, updateSite } from '../sites/sites.ts';
import type { Transaction } from '../storage/database.ts';

/**
 * Changes a site, and what its members hold of it. Nothing that opened it at one address opens it at another: whoever
 * comes to be at the old one is sent the cookies of before.
 *
 * @throws Refusal `invalid_request`, `site_domain_taken`, `scope_group_read_only`, `access_group_not_found`
 */
export async function changeSite(
  tx: Transaction,
  siteId: string,
  changes: UpdateSite,
  cause: Cause,
  requireMatch?: Precondition<Site>,
): Promise<Site> {
  await lockSite(tx, siteId);
  const before = originOf(await findSite(tx, siteId));
  const after = await updateSite(tx, siteId, changes, cause, requireMatch, (groupIds) =>
    requireCustomGroups(tx, siteId, groupIds),
  );
  if (before !== null && before !== originOf(after)) await withdrawEveryCredential(tx, siteId, cause.at);
  return after;
}
