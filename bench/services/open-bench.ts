import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { sqlitePath } from '../../server/src/storage/database-url.ts';
import { embeddedPostgres, systemPostgres } from '../../server/test/postgres-programs.ts';
import { type PostgresServer, startPostgres } from '../../server/test/postgres-server.ts';
import { type Dataset, fillDatabase } from '../data.ts';
import type { Bench } from '../rows/row.ts';

/** What benchmarks need, with their data in a folder. Close it to stop the PostgreSQL that it may have started. */
export function openBench(folder: string, quick: boolean): { bench: Bench; close(): Promise<void> } {
  let postgres: Promise<PostgresServer> | undefined;
  const postgresDatabase = async () => {
    postgres ??= startServer();
    return (await postgres).createDatabase();
  };
  const made = new Map<string, Promise<Dataset>>();
  let copies = 0;
  const once = (name: string, make: () => Promise<Dataset>) => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name)!;
  };
  const bench: Bench = {
    folder,
    quick,
    dataset: (members) =>
      once(`sqlite ${members}`, () => fillDatabase(`sqlite:${path.join(folder, `${members}.db`)}`, members)),
    copyOf: (dataset) => {
      const copy = path.join(folder, `copy-${++copies}`, 'gatehouse.db');
      mkdirSync(path.dirname(copy));
      for (const suffix of ['', '-wal']) {
        const file = sqlitePath(dataset.databaseUrl) + suffix;
        if (existsSync(file)) copyFileSync(file, copy + suffix);
      }
      return { ...dataset, databaseUrl: `sqlite:${copy}` };
    },
    postgresDataset: (members) =>
      once(`postgres ${members}`, async () => fillDatabase(await postgresDatabase(), members)),
    postgresDatabase,
  };
  return { bench, close: async () => (await postgres)?.stop('immediate') };
}

function startServer(): Promise<PostgresServer> {
  const programs = embeddedPostgres() ?? systemPostgres();
  if (!programs) throw new Error('PostgreSQL is not installed on this machine.');
  return startPostgres(programs, { settings: { shared_buffers: '256MB', max_wal_size: '8GB' } });
}
