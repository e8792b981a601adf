import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installCitusStandIn } from '../../../../test/citus/stand-in.ts';
import { forEachStoreVersion } from '../../../../test/stores.ts';
import { checkCitus } from '../../../commands/doctor/checks/database/citus-check.ts';
import type { Database, Migration, Queries } from '../../database.ts';
import { StoreUnavailable } from '../../errors.ts';
import { readMigration } from '../../migrations/migration-file.ts';
import { migrationsFor } from '../../migrations/migrations.ts';
import { openDatabase } from '../../open.ts';
import { type CitusCatalog, readCitusCatalog } from './citus-catalog.ts';
import { findObstacles, localTables, referenceTables } from './distribution-plan.ts';

const later: Migration = readMigration(
  'postgres',
  '9999-visits',
  `
    CREATE TABLE visits (
      site_id uuid NOT NULL REFERENCES sites (id), member_id uuid NOT NULL, path text NOT NULL,
      PRIMARY KEY (site_id, member_id, path), FOREIGN KEY (site_id, member_id) REFERENCES members (site_id, id));
    CREATE TABLE notes (site_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (site_id, id));
    ALTER TABLE events ADD COLUMN notes integer NOT NULL DEFAULT 0;`,
);

forEachStoreVersion((store) => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    url = await store.migratedUrl();
    database = openDatabase(url);
  });
  afterAll(() => database.close());

  if (store.dialect === 'sqlite') {
    test('SQLite cannot be distributed', () => expect(database.distribute).toBeUndefined());
    return;
  }

  test('a PostgreSQL without Citus is not distributed', async () => {
    await expect(database.distribute!()).rejects.toThrow('The database has no Citus.');
    expect(await checkCitus(database)).toEqual([]);
  });

  test('no constraint is named as if it had the number of a shard', async () => {
    const names = await database.all(sql`
      SELECT conname AS name FROM pg_constraint WHERE conname ~ '_[0-9]{6,}$'
      UNION SELECT relname FROM pg_class WHERE relkind = 'i' AND relname ~ '_[0-9]{6,}$'`);
    expect(names).toEqual([]);
  });

  describe('a database with Citus', () => {
    let before: CitusCatalog;
    beforeAll(async () => {
      await installCitusStandIn(url);
      await database.close();
      database = openDatabase(url);
      before = await catalogOf(database);
    });

    test('a worker is not taken for the coordinator', async () => {
      const setGroup = (id: number) =>
        database.run(sql`UPDATE citus_stand_in.pg_dist_local_group SET groupid = ${id}`);
      await setGroup(2);
      await expect(database.distribute!()).rejects.toThrow('This server is a worker of Citus.');
      await setGroup(0);
    });

    test('a table that cannot be distributed is named, and nothing is changed', async () => {
      const { message } = await database
        .transaction(async (tx) => {
          for (const change of obstacles) await tx.run(change);
          throw new Error((await obstaclesIn(tx)).join('; '));
        })
        .catch((error) => error);
      expect(message).toBe(
        [
          'the unique index members_id of members is without site_id',
          'members has the trigger lowercase',
          'totals has no column site_id',
          'the foreign key api_keys_member of api_keys leads from a reference table to the distributed members',
          'the foreign key labels_member of labels does not connect site_id with that of members',
        ].join('; '),
      );
      await database.run(sql`CREATE TABLE totals (id uuid PRIMARY KEY)`);
      await expect(database.distribute!()).rejects.toThrow(
        'totals has no column site_id. Nothing was changed.',
      );
      await database.run(sql`DROP TABLE totals`);
      expect(await catalogOf(database)).toEqual(before);
    });

    test('migrating does not distribute tables that are not distributed', async () => {
      await database.migrate(migrationsFor('postgres'));
      expect(await callsOf(database)).toEqual([]);
      expect(await checkCitus(database)).toMatchObject([
        { status: 'warning', message: 'Citus 13.2.2, but all tables are on this server' },
      ]);
    });

    test('every table is distributed by site, a reference table or local, also by two processes at once', async () => {
      const distributed = await Promise.all([database.distribute!(), database.distribute!()]);
      const { tables, foreignKeys } = await catalogOf(database);
      const moved = namesOf(tables.filter(({ kind }) => kind !== 'local'));
      expect(distributed.toSorted((a, b) => a.length - b.length)).toEqual([[], moved]);
      expect(foreignKeys).toEqual(before.foreignKeys);
      expect(foreignKeys.length).toBeGreaterThan(20);
      const kinds = Object.groupBy(tables, ({ kind }) => kind);
      expect(namesOf(kinds.reference)).toEqual([...referenceTables]);
      expect(namesOf(kinds.local)).toEqual([...localTables]);
      const places = kinds.distributed!.map(({ distributionColumn, colocation }) => [
        distributionColumn,
        colocation,
      ]);
      expect(new Set(places.map(String)).size).toBe(1);
      expect(places[0]![0]).toBe('site_id');
      expect(await statesOf(database)).toEqual(['ok', 'ok']);
      expect(await database.all(sql`SELECT conname FROM pg_constraint WHERE NOT convalidated`)).toEqual([]);
      // The rows that Citus has copied to the nodes do not stay in the table on the coordinator.
      const calls = await callsOf(database);
      const truncated = calls.filter(({ name }) => name.startsWith('truncate_local_data'));
      expect(truncated.map(({ relation }) => relation).sort()).toEqual(moved);
    });

    test('what is distributed is not distributed again', async () => {
      const calls = await callsOf(database);
      expect(await database.distribute!()).toEqual([]);
      expect(await callsOf(database)).toEqual(calls);
    });

    test('migrating a distributed database distributes the tables of a later version', async () => {
      expect(await database.migrate([...migrationsFor('postgres'), later])).toEqual([later.name]);
      const { tables, foreignKeys } = await catalogOf(database);
      const added = tables.filter(({ name }) => ['notes', 'visits'].includes(name));
      expect(added.map(({ kind }) => kind)).toEqual(['distributed', 'distributed']);
      expect(foreignKeys.filter(({ table }) => table === 'visits')).toHaveLength(2);
      expect(await statesOf(database)).toEqual(['ok', 'ok']);
    });

    test('doctor names a node that is down, one that is frozen, and two that cannot reach each other', async () => {
      await database.run(
        sql`INSERT INTO citus_stand_in.silent_nodes VALUES ('worker-1', true), ('worker-2', false)`,
      );
      const nodes = async () => (await checkCitus(database))[1];
      expect(await nodes()).toMatchObject({
        status: 'failed',
        message: 'no answer within 2 s: worker-1:5432; worker-2:5432',
        advice: expect.stringContaining('standby'),
      });
      await database.run(sql`DELETE FROM citus_stand_in.silent_nodes`);
      await database.run(sql`INSERT INTO citus_stand_in.broken_links VALUES ('worker-1', 'worker-2')`);
      expect(await nodes()).toMatchObject({
        status: 'failed',
        message: 'no connection from worker-1:5432 to worker-2:5432',
      });
      await database.run(sql`DELETE FROM citus_stand_in.broken_links`);
      expect(await nodes()).toMatchObject({ status: 'ok' });
    });

    test('doctor names a node that is not in use, and a table that is not where it belongs', async () => {
      await database.run(
        sql`UPDATE citus_stand_in.pg_dist_node SET isactive = false WHERE nodename = 'worker-2'`,
      );
      await database.run(sql`CREATE TABLE tags (site_id uuid PRIMARY KEY)`);
      expect(await checkCitus(database)).toMatchObject([
        { status: 'failed', message: 'tags is a local table instead of a distributed one' },
        { status: 'failed', message: 'not in use: worker-2:5432' },
      ]);
    });
  });

  test('an interrupted distribution is continued, and no foreign key is lost', async () => {
    const interruptedUrl = await store.migratedUrl();
    await installCitusStandIn(interruptedUrl);
    const interrupted = openDatabase(interruptedUrl);
    try {
      const before = await catalogOf(interrupted);
      await interrupted.run(sql`UPDATE citus_stand_in.failures SET is_on = true`);
      let failures = 0;
      for (; ; failures += 1) {
        const outcome = await interrupted.distribute!().catch((error) => error);
        if (Array.isArray(outcome)) break;
        expect(outcome).toBeInstanceOf(StoreUnavailable);
        expect(await statesOf(interrupted)).not.toEqual(['ok', 'ok']);
      }
      expect(failures).toBeGreaterThan(3);
      const { foreignKeys, droppedForeignKeys } = await catalogOf(interrupted);
      expect(foreignKeys).toEqual(before.foreignKeys);
      expect(droppedForeignKeys).toEqual([]);
      expect(await statesOf(interrupted)).toEqual(['ok', 'ok']);
    } finally {
      await interrupted.close();
    }
  });
});

const obstacles = [
  sql`CREATE TABLE totals (id uuid PRIMARY KEY)`,
  sql`CREATE UNIQUE INDEX members_id ON members (id)`,
  sql`CREATE TABLE labels (site_id uuid NOT NULL, member_id uuid NOT NULL, member_site uuid NOT NULL,
        CONSTRAINT labels_member FOREIGN KEY (member_site, member_id) REFERENCES members (site_id, id))`,
  sql`ALTER TABLE api_keys ADD CONSTRAINT api_keys_member FOREIGN KEY (site_id, id) REFERENCES members (site_id, id)`,
  sql`CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
  sql`CREATE TRIGGER lowercase BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION nothing()`,
];

function catalogOf(db: Queries): Promise<CitusCatalog> {
  return readCitusCatalog((statement) => db.all(statement));
}

async function obstaclesIn(db: Queries): Promise<string[]> {
  return findObstacles(await catalogOf(db));
}

async function statesOf(db: Queries): Promise<string[]> {
  return (await checkCitus(db)).map(({ status }) => status);
}

function callsOf(db: Queries): Promise<{ name: string; relation: string }[]> {
  return db.all(sql`SELECT function AS name, relation::text FROM citus_stand_in.calls ORDER BY number`);
}

function namesOf(rows: readonly { readonly name: string }[] = []): string[] {
  return rows.map(({ name }) => name);
}
