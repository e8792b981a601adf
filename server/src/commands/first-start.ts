import { ApiError } from '../base/api-error.ts';
import { systemContext } from '../base/change-context.ts';
import { newId } from '../base/ids.ts';
import { createApiKey } from '../domain/api-keys/api-keys.ts';
import { makeChange } from '../domain/events/change.ts';
import { renewSetupToken } from '../domain/operators/setup-token.ts';
import { defaultScheme } from '../domain/sites/site.ts';
import { createSite, listSites } from '../domain/sites/sites.ts';
import type { Database } from '../storage/database.ts';

/**
 * Creates the first site and its key, so that a new installation can be used immediately. Returns the key, which is
 * shown only now; undefined if there is a site already.
 */
export async function createFirstSite(
  database: Database,
  publicUrl: string,
  now: Date,
): Promise<string | undefined> {
  const context = systemContext(now.toISOString());
  const created = database.transaction((tx) =>
    makeChange(tx, newId(), context, async (change) => {
      if ((await listSites(tx)).length > 0) return undefined;
      const input = { slug: 'main', title: 'My site', domain: localDomain(publicUrl) };
      await createSite(change, input);
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
 * Renews the setup token with which the first operator opens the dashboard, until there is an operator. Returns the
 * URL to open, which is shown only now; undefined if there is an operator already.
 */
export async function setupUrl(
  database: Database,
  publicUrl: string,
  now: Date,
): Promise<string | undefined> {
  const token = await database.transaction((tx) => renewSetupToken(tx, now.toISOString()));
  return token && `${publicUrl}/dashboard/setup/${token}`;
}

/** On localhost the login can be tried immediately, without a proxy or a domain. */
function localDomain(publicUrl: string): string | null {
  const { host, port } = new URL(publicUrl);
  return defaultScheme(host) === 'http' && port !== '0' ? host : null;
}
