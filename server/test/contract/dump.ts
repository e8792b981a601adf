import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/storage/database.ts';

export type Dump = Record<string, string[]>;

/** All rows of a site, by table. */
export async function dumpSite(database: Database, siteId: string): Promise<Dump> {
  const dump: Dump = { sites: await rowsOf(database, 'sites', `WHERE id = '${siteId}'`) };
  for (const table of await tablesWithSite(database)) {
    dump[table] = await rowsOf(database, table, `WHERE site_id = '${siteId}'`);
  }
  return dump;
}

/** Every row of every table. */
export async function dumpStore(database: Database): Promise<Dump> {
  const dump: Dump = { sites: await rowsOf(database, 'sites') };
  for (const table of await tablesWithSite(database)) dump[table] = await rowsOf(database, table);
  return dump;
}

/** Columns that change at any time, because events are being sent to a webhook. */
const progressOfWebhooks = new Set([
  ...['position', 'follows_feed', 'replay', 'failures', 'failing_since', 'due_at', 'holder', 'claimed_until'],
  ...['state', 'started_at', 'ended_at', 'duration_ms', 'response_status', 'response_body', 'error'],
]);

async function rowsOf(database: Database, table: string, where = ''): Promise<string[]> {
  const rows = await database.all<object>(sql`SELECT * FROM ${raw(table)} ${raw(where)}`);
  const isSent = table.startsWith('webhook');
  return rows.map((row) => JSON.stringify(isSent ? withoutProgress(row) : row)).sort();
}

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
