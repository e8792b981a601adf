import type { Site, UpdateSite } from '@gatehouse/contract';
import type { Precondition } from '../base/precondition.ts';
import { requireCustomGroups } from '../domain/access-groups/access-groups.ts';
import type { Change } from '../domain/events/change.ts';
import { revokeEveryCredential } from '../domain/members/credentials.ts';
import { originOf } from '../domain/sites/site.ts';
import { findSite, lockSite, updateSite as updateSiteAlone } from '../domain/sites/sites.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const siteHandlers = {
  getSite: async ({ db, siteId }) => ({ body: { data: await findSite(db, siteId) } }),

  updateSite: async ({ change, requireMatch }, { body }) => ({
    body: { data: await updateSite(change, body, requireMatch) },
  }),
} satisfies OperationHandlers;

/**
 * Changes a site, and the related data of its members. When the domain changes, everything that gave access at the old
 * one is revoked: whoever controls the old domain later will receive the old cookies.
 *
 * @throws {ApiError} `invalid_request`, `site_domain_taken`, `scope_group_read_only`, `access_group_not_found`
 */
export async function updateSite(
  change: Change,
  changes: UpdateSite,
  requireMatch?: Precondition<Site>,
): Promise<Site> {
  const { tx, siteId } = change;
  await lockSite(tx, siteId);
  const before = originOf(await findSite(tx, siteId));
  const after = await updateSiteAlone(change, changes, requireMatch, (groupIds) =>
    requireCustomGroups(tx, siteId, groupIds),
  );
  if (before !== null && before !== originOf(after)) await revokeEveryCredential(change);
  return after;
}
