import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Site } from '@gatehouse/contract';
import type { Cause } from '../base/cause.ts';
import { findSiteBySlug, listSites } from '../sites/sites.ts';
import type { Database, Queries } from '../storage/database.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { migrate } from '../storage/migrations.ts';
import { createDatabase, openDatabase } from '../storage/open.ts';
import { CommandFailure, WrongUsage } from './failure.ts';
import { readSettings } from './settings.ts';

/** Nobody waits for an answer here as for a request, so a statement may take longer. */
const statementTimeoutMilliseconds = 10 * 60 * 1_000;

/**
 * Opens the store of the settings, up to date, for one command.
 * @throws CommandFailure where there is no SQLite file: only what begins an installation makes one
 */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl } = readSettings(process.env);
  requireFile(databaseUrl);
  const database = openForCommand(databaseUrl);
  try {
    await migrate(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** As `withDatabase`, and makes the SQLite file first where there is none. */
export async function withNewDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  await createDatabase(
    readSettings(process.env).databaseUrl,
    async (database) => void (await migrate(database)),
  );
  return withDatabase(work);
}

/** @throws CommandFailure */
export function requireFile(databaseUrl: string): void {
  if (dialectOf(databaseUrl) === 'postgres' || existsSync(sqlitePath(databaseUrl))) return;
  throw new CommandFailure(
    'database_missing',
    `There is no database at ${sqlitePath(databaseUrl)}. Start the service with ./gatehouse serve, which makes it, or ` +
      'check GATEHOUSE_DATABASE_URL and the folder you are in.',
  );
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
