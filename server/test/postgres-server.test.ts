import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedPostgres, systemPostgres } from './postgres-programs.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { forEachStore } from './stores.ts';

const allPrograms = [embeddedPostgres(), systemPostgres()].filter((programs) => programs !== undefined);

describe.each(allPrograms)('a separate PostgreSQL $majorVersion', (programs) => {
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres(programs, { fsync: true, settings: { statement_timeout: 30_000 } });
    url = await server.createDatabase();
    await query(url, 'CREATE TABLE note (text text)');
  });
  afterAll(() => server.stop());

  test('responds on loopback, with its settings', async () => {
    const [row] = await query(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('max_connections') AS connections,
         current_setting('statement_timeout') AS timeout, current_setting('lc_collate', true) AS collation,
         host(inet_server_addr()) AS address, pg_encoding_to_char(encoding) AS encoding
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toMatchObject({
      fsync: 'on',
      connections: '200',
      timeout: '30s',
      address: '127.0.0.1',
      encoding: 'UTF8',
    });
  });

  test('has the extensions that the search needs', async () => {
    await query(url, 'CREATE EXTENSION pg_trgm');
    await query(url, 'CREATE EXTENSION btree_gin');
  });

  test.each(['fast', 'immediate'] as const)('keeps its data after a restart (%s)', async (mode) => {
    await query(url, `INSERT INTO note VALUES ('${mode}')`);
    await server.restart(mode);
    expect(await query(url, `SELECT text FROM note WHERE text = '${mode}'`)).toEqual([{ text: mode }]);
  });

  test('keeps committed data when it is killed', async () => {
    await query(url, `INSERT INTO note VALUES ('killed')`);
    await server.kill();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await server.restart();
    expect(await query(url, `SELECT text FROM note WHERE text = 'killed'`)).toEqual([{ text: 'killed' }]);
  });

  test('does not respond while it is paused', async () => {
    server.pause();
    const answer = query(url, 'SELECT 1 AS one');
    expect(await Promise.race([answer, sleep(300, 'nothing')])).toBe('nothing');
    server.resume();
    expect(await answer).toEqual([{ one: 1 }]);
  });

  test('leaves no files when it is stopped, paused or not', async () => {
    const other = await startPostgres(programs);
    other.pause();
    await other.stop('immediate');
    expect(existsSync(other.folder)).toBe(false);
    await expect(query(other.url(), 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });
});

forEachStore((store) => {
  test('a fresh database is new each time', async () => {
    const urls = [await store.freshUrl(), await store.freshUrl()];
    expect(new Set(urls).size).toBe(2);
    for (const url of urls)
      expect(url).toMatch(store.dialect === 'sqlite' ? /^sqlite:\/.+\.db$/ : /^postgres:/);
  });
});

async function query(url: string, text: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}
