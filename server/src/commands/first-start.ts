import { systemCause } from '../base/cause.ts';
import { Refusal } from '../base/refusal.ts';
import { renewWelcome } from '../operators/welcome.ts';
import { createApiKey } from '../sites/api-keys.ts';
import { usualScheme } from '../sites/site.ts';
import { createSite, listSites } from '../sites/sites.ts';
import type { Database } from '../storage/database.ts';

/**
 * Makes the first site and its key, so that a new installation can be used at once. Gives the key, which is shown
 * this once; undefined when there is a site already.
 */
export async function createFirstSite(
  database: Database,
  publicUrl: string,
  now: Date,
): Promise<string | undefined> {
  const cause = systemCause(now.toISOString());
  const created = database.transaction(async (tx) => {
    if ((await listSites(tx)).length > 0) return undefined;
    const input = { slug: 'main', title: 'My site', domain: domainToTry(publicUrl) };
    const site = await createSite(tx, input, cause);
    const { secret } = await createApiKey(tx, site.id, { name: 'First key' }, cause);
    return secret;
  });
  return created.catch((error) => {
    // Another process of the same start was first.
    if (error instanceof Refusal && error.code === 'site_slug_taken') return undefined;
    throw error;
  });
}

/**
 * Renews the secret with which the first operator comes to the dashboard, until there is one. Gives the address to
 * open, which is shown this once; undefined when there is an operator already.
 */
export async function welcomeUrl(
  database: Database,
  publicUrl: string,
  now: Date,
): Promise<string | undefined> {
  const token = await database.transaction((tx) => renewWelcome(tx, now.toISOString()));
  return token && `${publicUrl}/dashboard/welcome/${token}`;
}

/** On this machine itself the login can be tried at once, without a proxy or a domain. */
function domainToTry(publicUrl: string): string | null {
  const { host, port } = new URL(publicUrl);
  return usualScheme(host) === 'http' && port !== '0' ? host : null;
}
