import { userInfo } from 'node:os';
import type { Site } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { findSiteBySlug, listSites } from '../sites/sites.ts';
import type { Database, Queries } from '../storage/database.ts';
import { migrate } from '../storage/migrations.ts';
import { openDatabase } from '../storage/open.ts';
import { CommandFailure, WrongUsage } from './failure.ts';
import { readSettings } from './settings.ts';

/** Nobody waits for an answer here as for a request, so a statement may take longer. */
const statementTimeoutMilliseconds = 10 * 60 * 1_000;

/** Opens the store of the settings, up to date, for one command. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = openForCommand(readSettings(process.env).databaseUrl);
  try {
    await migrate(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

export function openForCommand(url: string): Database {
  return openDatabase(url, { poolSize: 2, statementTimeoutMilliseconds });
}

/** The person at the command line, for the events of what a command changes. */
export function operatorCause(): Cause {
  return {
    actor: { type: 'operator', id: null, name: userName() },
    requestId: null,
    clientAddress: null,
    at: new Date().toISOString(),
  };
}

/** The site of a slug, or the only one there is. */
export async function requireSite(db: Queries, slug: string | undefined): Promise<Site> {
  if (slug !== undefined) {
    const site = await findSiteBySlug(db, slug);
    if (site) return site;
    throw new CommandFailure('site_not_found', `There is no site "${slug}". See ./gatehouse site list.`);
  }
  const sites = await listSites(db);
  if (sites.length === 1) return sites[0]!;
  if (sites.length === 0) {
    throw new CommandFailure(
      'site_not_found',
      'There is no site yet. Create one: ./gatehouse site create --slug main.',
    );
  }
  const slugs = sites.slice(0, 10).map((site) => site.slug);
  throw new WrongUsage(`Say which site with --site: ${slugs.join(', ')}${sites.length > 10 ? ', …' : ''}.`);
}

function userName(): string {
  try {
    return userInfo().username || 'command line';
  } catch {
    // A container may run under a user id that has no name.
    return 'command line';
  }
}
