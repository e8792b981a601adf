import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../src/storage/database.ts';

export type Dump = Record<string, string[]>;

/** What is recorded beside requests, at any time. */
const recordedAside = ['api_key_uses'];

/** All rows of a site, by table. */
export async function dumpSite(database: Database, siteId: string): Promise<Dump> {
  const parts: Part[] = [{ table: 'sites', where: sql`WHERE id = ${siteId}` }];
  for (const table of await tablesWithSite(database))
    parts.push({ table, where: sql`WHERE site_id = ${siteId}` });
  return dumpOf(database, parts);
}

/** Every row of every table. */
export async function dumpStore(database: Database): Promise<Dump> {
  const tables = ['sites', ...(await tablesWithSite(database))];
  return dumpOf(
    database,
    tables.map((table) => ({ table, where: empty })),
  );
}

/** The rows of a table that are dumped. */
interface Part {
  readonly table: string;
  readonly where: Sql;
}

async function dumpOf(database: Database, everyPart: readonly Part[]): Promise<Dump> {
  const parts = everyPart.filter(({ table }) => !recordedAside.includes(table));
  const dump: Dump = {};
  for (const { table } of parts) dump[table] = [];
  for (const { table, row } of await rowsOf(database, parts)) {
    const isSent = table.startsWith('webhook');
    dump[table]!.push(isSent ? JSON.stringify(withoutProgress(JSON.parse(row))) : row);
  }
  for (const rows of Object.values(dump)) rows.sort();
  return dump;
}

/** With one statement on PostgreSQL, because each is a round trip, and with one for each table on SQLite. */
async function rowsOf(database: Database, parts: readonly Part[]): Promise<{ table: string; row: string }[]> {
  if (database.dialect === 'postgres') {
    const selects = parts.map(
      ({ table, where }) =>
        sql`SELECT ${raw(`'${table}'`)} AS "table", row_to_json(t)::text AS row FROM ${raw(table)} t ${where}`,
    );
    return database.all(join(selects, ' UNION ALL '));
  }
  const found: { table: string; row: string }[] = [];
  for (const { table, where } of parts) {
    const rows = await database.all<object>(sql`SELECT * FROM ${raw(table)} ${where}`);
    for (const row of rows) found.push({ table, row: JSON.stringify(row) });
  }
  return found;
}

/** Columns that change at any time, because events are being sent to a webhook. */
const progressOfWebhooks = new Set([
  'position',
  'follows_feed',
  'replay',
  'failures',
  'failing_since',
  'due_at',
  'holder',
  'claimed_until',
  'status',
  'started_at',
  'ended_at',
  'duration_ms',
  'response_status',
  'response_body',
  'error',
]);

function withoutProgress(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !progressOfWebhooks.has(name)));
}

const tablesOf = new WeakMap<Database, Promise<string[]>>();

/** The tables whose rows belong to a site. They do not change while tests run. */
export function tablesWithSite(database: Database): Promise<string[]> {
  const tables = tablesOf.get(database) ?? readTablesWithSite(database);
  tablesOf.set(database, tables);
  return tables;
}

async function readTablesWithSite(database: Database): Promise<string[]> {
  const tables = await database.all<{ name: string }>(
    database.dialect === 'sqlite'
      ? sql`SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
            WHERE t.type = 'table' AND c.name = 'site_id' ORDER BY t.name`
      : sql`SELECT table_name AS name FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name = 'site_id' ORDER BY table_name`,
  );
  return tables.map(({ name }) => name);
}
