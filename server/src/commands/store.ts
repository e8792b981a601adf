import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Site } from '@gatehouse/contract';
import type { ChangeContext } from '../base/change-context.ts';
import { type Change, makeChange } from '../domain/events/change.ts';
import { findSiteBySlug, listSites } from '../domain/sites/sites.ts';
import type { Database, Queries } from '../storage/database.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { migrate } from '../storage/migrations.ts';
import { createDatabase, openDatabase } from '../storage/open.ts';
import { CommandFailure, WrongUsage } from './failure.ts';
import { readSettings } from './settings.ts';

/** A command may wait longer for a statement than a request may. */
const statementTimeoutMilliseconds = 10 * 60 * 1_000;

/**
 * Opens the configured store and migrates it, for one command.
 * @throws {CommandFailure} when there is no SQLite file: only the commands that start an installation create one
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

/** Like `withDatabase`, but creates the SQLite file if there is none. */
export async function withNewDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  await createDatabase(
    readSettings(process.env).databaseUrl,
    async (database) => void (await migrate(database)),
  );
  return withDatabase(work);
}

/** @throws {CommandFailure} */
export function requireFile(databaseUrl: string): void {
  if (dialectOf(databaseUrl) === 'postgres' || existsSync(sqlitePath(databaseUrl))) return;
  throw new CommandFailure(
    'database_missing',
    `There is no database at ${sqlitePath(databaseUrl)}. Start the service with ./gatehouse serve, which creates it, or ` +
      'check GATEHOUSE_DATABASE_URL and the current folder.',
  );
}

export function openForCommand(url: string): Database {
  return openDatabase(url, { poolSize: 2, statementTimeoutMilliseconds });
}

/** Changes a site, the named or the only one, on behalf of the user of the command line. */
export function changeSite<T>(
  slug: string | undefined,
  work: (change: Change, site: Site) => Promise<T>,
  context = operatorContext(),
): Promise<T> {
  return withDatabase((database) =>
    database.transaction(async (tx) => {
      const site = await requireSite(tx, slug);
      return makeChange(tx, site.id, context, (change) => work(change, site));
    }),
  );
}

/** The context of changes by the user of the command line, for the events. */
export function operatorContext(): ChangeContext {
  return {
    actor: { type: 'operator', id: null, name: userName() },
    requestId: null,
    clientAddress: null,
    at: new Date().toISOString(),
  };
}

/** The site with a slug, or the only site. */
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
  throw new WrongUsage(
    `There are several sites. Choose one with --site: ${slugs.join(', ')}${sites.length > 10 ? ', …' : ''}.`,
  );
}

function userName(): string {
  try {
    return userInfo().username || 'command line';
  } catch {
    // In a container the user ID may have no name.
    return 'command line';
  }
}
