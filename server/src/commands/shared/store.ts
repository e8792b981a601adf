import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Site } from '@gatehouse/contract';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { readSettings, type Settings } from '../../app/settings/settings.ts';
import type { ChangeContext } from '../../base/change-context.ts';
import { type Change, makeChange } from '../../domain/events/change.ts';
import { findSiteBySlug, listSites } from '../../domain/sites/sites.ts';
import { reportingTakenHosts } from '../../domain/sites/taken-hosts.ts';
import { createDatabase } from '../../storage/create.ts';
import type { Database, DatabaseOptions, Dialect, Queries } from '../../storage/database.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';
import { planMigrations } from '../../storage/migrations/migration-plan.ts';
import {
  type AppliedMigration,
  appliedMigrations,
  migrate,
  migrationsFor,
} from '../../storage/migrations/migrations.ts';
import type { PostgresOptions } from '../../storage/postgres/postgres-database.ts';
import { openSqlite } from '../../storage/sqlite/sqlite-database.ts';

/** A command may wait longer for a statement than a request may. */
const statementTimeoutMilliseconds = 10 * 60 * 1_000;
/** No one else waits meanwhile, and the pool of a pooler may be in use for a moment. */
const poolWaitMilliseconds = 5_000;

/**
 * Opens the configured store for one command. It does not migrate: a running service of an earlier version might not
 * be able to use the changed tables.
 * @throws {CommandFailure} when there is no installation, or its tables are those of an earlier version
 */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  requireFile(settings.databaseUrl);
  const database = await openForCommand(settings);
  try {
    requireMigrated(database.dialect, await appliedMigrations(database));
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Like `withDatabase`, but first creates the SQLite file or the tables of an empty PostgreSQL database. */
export async function withNewDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  const create = async (database: Database) => void (await migrate(database));
  if (!(await createDatabase(settings.databaseUrl, create))) await createTables(settings);
  return withDatabase(work);
}

async function createTables(settings: Settings): Promise<void> {
  const database = await openForCommand(settings);
  try {
    if ((await appliedMigrations(database)).length === 0) await migrate(database);
  } finally {
    await database.close();
  }
}

/** @throws {CommandFailure} */
function requireMigrated(dialect: Dialect, applied: readonly AppliedMigration[]): void {
  if (applied.length === 0) {
    throw new CommandFailure(
      'database_missing',
      'The database has no tables of Gatehouse. Start the service with ./gatehouse serve, which creates them, or check ' +
        'GATEHOUSE_DATABASE_URL.',
    );
  }
  const { migrations, earlierVersionContinues } = planMigrations(dialect, migrationsFor(dialect), applied);
  if (migrations.length === 0) return;
  throw new CommandFailure(
    'migrations_pending',
    `The database does not have the changes of this version yet. ${howToMigrate(earlierVersionContinues)}`,
  );
}

/** @param earlierVersionContinues whether the version before can use the database during and after the migration */
export function howToMigrate(earlierVersionContinues: boolean): string {
  return earlierVersionContinues
    ? 'Run ./gatehouse migrate while the service runs, or start this version with ./gatehouse serve. See ./gatehouse ' +
        'migrate --plan.'
    : 'Stop the service. Then run ./gatehouse migrate, or start this version with ./gatehouse serve.';
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

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'databaseDirectUrl'>;

/**
 * Opens the store for a command, without a pooler if possible: a pooler may limit the time of statements. The driver of
 * PostgreSQL, which takes 13 ms to load, is loaded only for it.
 */
export async function openForCommand(
  { databaseUrl, databaseDirectUrl }: DatabaseSettings,
  options: DatabaseOptions & PostgresOptions = {},
): Promise<Database> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (dialectOf(url) === 'sqlite') return openSqlite(sqlitePath(url), options);
  const { openPostgres } = await import('../../storage/postgres/postgres-database.ts');
  return openPostgres(url, {
    poolSize: 2,
    poolWaitMilliseconds,
    statementTimeoutMilliseconds,
    ...options,
  });
}

/** Changes a site, the named or the only one, on behalf of the user of the command line. */
export function changeSite<T>(
  slug: string | undefined,
  work: (change: Change, site: Site) => Promise<T>,
  context = operatorContext(),
): Promise<T> {
  return withDatabase((database) =>
    reportingTakenHosts(database, context.at, () =>
      database.transaction(async (tx) => {
        const site = await requireSite(tx, slug);
        return makeChange({ db: tx, siteId: site.id }, context, (change) => work(change, site));
      }),
    ),
  );
}

/** The context of changes by the user of the command line, for the events. */
export function operatorContext(): ChangeContext {
  return {
    actor: { type: 'operator', id: null, name: userName() },
    requestId: null,
    ipAddress: null,
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
