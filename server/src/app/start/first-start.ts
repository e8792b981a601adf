import type { AccessRule } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import { systemContext } from '../../base/change-context.ts';
import { newId } from '../../base/ids.ts';
import { createAccessGroup } from '../../domain/access-groups/access-groups.ts';
import { replaceAccessRules } from '../../domain/access-rules/access-rules.ts';
import { createApiKey } from '../../domain/api-keys/api-keys.ts';
import { type Change, makeChange } from '../../domain/events/change.ts';
import { createMembers } from '../../domain/members/new-members.ts';
import { createSetupToken } from '../../domain/operators/setup-token.ts';
import { defaultScheme } from '../../domain/sites/site.ts';
import { createSite, listSites } from '../../domain/sites/sites.ts';
import type { Database } from '../../storage/database.ts';

/** How the first site of a new installation begins. */
export interface FirstSite {
  /** The URL at which it can be tried out on this machine. */
  readonly url: string;
  /** Whether it gets the rules and members of the sample site, `examples/site`. */
  readonly isSample: boolean;
}

/**
 * Creates the first site and its key, so that a new installation can be used immediately. Returns the key, which is
 * shown only now; undefined if there is a site already, which is never changed.
 */
export async function createFirstSite(
  database: Database,
  { url, isSample }: FirstSite,
  now: Date,
): Promise<string | undefined> {
  const context = systemContext(now.toISOString());
  const created = database.transaction((tx) =>
    makeChange({ db: tx, siteId: newId() }, context, async (change) => {
      if ((await listSites(tx)).length > 0) return undefined;
      const title = isSample ? 'Sample site' : 'My site';
      await createSite(change, { slug: 'main', title, domain: localDomain(url) });
      if (isSample) await fillSampleSite(change);
      const { secret } = await createApiKey(change, { name: 'First key' });
      return secret;
    }),
  );
  return created.catch((error) => {
    // Another process that started at the same time was faster.
    if (error instanceof ApiError && error.code === 'site_slug_taken') return undefined;
    throw error;
  });
}

/**
 * Creates a setup token with which the first operator opens the dashboard, until there is an operator. Returns the URL
 * to open, which is shown only now; undefined if there is an operator already.
 */
export async function setupUrl(
  database: Database,
  publicUrl: string,
  now: Date,
): Promise<string | undefined> {
  const token = await database.transaction((tx) => createSetupToken(tx, now.toISOString()));
  return token && `${publicUrl}/dashboard/setup/${token}`;
}

/** The rules, the group and the members that the pages of the sample site describe. */
async function fillSampleSite(change: Change): Promise<void> {
  const { id } = await createAccessGroup(change, { name: 'Course', description: 'Sees /course' });
  const rules: AccessRule[] = [
    { path: '/', access: 'public' },
    { path: '/members', access: 'members' },
    { path: '/course', access: 'groups', groupIds: [id] },
  ];
  await replaceAccessRules(change, rules, () => {});
  await createMembers(change, [{ email: 'ada@example.com', displayName: 'Ada Lovelace', paid: false }], [id]);
  await createMembers(change, [{ email: 'grace@example.com', displayName: 'Grace Hopper', paid: false }]);
}

/** On localhost the login can be tried immediately, without a proxy or a domain. */
export function localDomain(url: string): string | null {
  const { host, port } = new URL(url);
  return defaultScheme(host) === 'http' && port !== '0' ? host : null;
}
