import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { changing } from '../../../../test/change.ts';
import { installCitusStandIn } from '../../../../test/citus/stand-in.ts';
import { forEachStoreVersion } from '../../../../test/stores.ts';
import { newId } from '../../../base/ids.ts';
import { createSite } from '../../../domain/sites/sites.ts';
import type { Database } from '../../database.ts';
import { StoreUnavailable } from '../../errors.ts';
import { readMigration } from '../../migrations/migration-file.ts';
import { appliedMigrations, migrationsFor, pendingMigrations } from '../../migrations/migrations.ts';
import { openDatabase } from '../../open.ts';

const ofThisVersion = migrationsFor('postgres');
const newest = ofThisVersion.at(-1)!.name;
const migration = (name: string, text: string) =>
  readMigration('postgres', name, `-- usable from: ${newest}\n${text}`);

/** A column and three indexes. */
const networks = [
  ...ofThisVersion,
  migration(
    '9001-networks',
    `-- step: transaction
ALTER TABLE events ADD COLUMN network text;
-- step: concurrently
CREATE INDEX CONCURRENTLY events_by_network ON events (site_id, network, position);
-- step: concurrently
CREATE INDEX CONCURRENTLY events_named ON events (site_id, actor_name, position) WHERE actor_name IS NOT NULL;
-- step: concurrently
CREATE INDEX CONCURRENTLY events_opened ON events (site_id, occurred_at) WHERE type = 'member.login';
`,
  ),
];
const indexNames = ['events_by_network', 'events_named', 'events_opened'];

forEachStoreVersion((store) => {
  const onPostgres = test.runIf(store.dialect === 'postgres');

  async function start() {
    const url = await store.migratedUrl();
    const open = (settings = {}) => {
      const database = openDatabase(url, settings);
      onTestFinished(() => database.close());
      return database;
    };
    const database = open({ poolSize: 3 });
    const siteId = newId();
    await changing(database, siteId, (change) => createSite(change, { slug: 'club' }));
    const other = postgres(url, { max: 1, onnotice: () => {} });
    onTestFinished(() => other.end({ timeout: 0 }));
    const reports: string[] = [];
    const reported = (text: string) => expect.poll(() => reports.join('\n')).toContain(text);
    const report = (message: string) => void reports.push(message);
    return { url, open, database, siteId, other, reports, report, reported };
  }

  const addEvent = (database: Database, siteId: string, position: number) =>
    database.run(sql`INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, data)
      VALUES (${siteId}, ${position}, ${newId()}, 'custom', ${'2026-01-05T08:00:00.000Z'}, 'system', '{}')`);
  const indexes = (database: Database) =>
    database.all<{ name: string; valid: boolean }>(sql`
      SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
      WHERE indrelid = 'events'::regclass AND indexrelid::regclass::text = ANY (${`{${indexNames.join()}}`})
      ORDER BY name`);
  const allValid = indexNames.map((name) => ({ name, valid: true }));
  /** The process of PostgreSQL that migrates: it has the lock. */
  const endMigrating = (database: Database) =>
    database.get(sql`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  /** Opens a transaction that has run a statement, and returns how to end it. */
  async function openTransaction(other: postgres.Sql, statement: string): Promise<() => Promise<void>> {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const ended = other.begin(async (tx) => {
      await tx.unsafe(statement);
      begun.resolve();
      await end.promise;
    });
    ended.catch(begun.reject);
    await begun.promise;
    return async () => {
      end.resolve();
      await ended;
    };
  }
  /** Keeps a snapshot, but no lock of the events: a new index waits for it before it becomes valid. */
  const openSnapshot = (other: postgres.Sql) =>
    openTransaction(other, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM sites');
  const untilIndexWaits = (database: Database) =>
    expect.poll(() => indexes(database)).toEqual([{ name: 'events_by_network', valid: false }]);

  onPostgres(
    'writes go on while a migration waits for a lock, adds a column and builds indexes',
    async () => {
      const { open, database, siteId, other, report, reported } = await start();
      await database.run(sql`
      INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, data)
      SELECT ${siteId}, number, gen_random_uuid(), 'custom', now(), 'system', '{}'
      FROM generate_series(1000, 21000) AS number`);
      // A write fails if it waits for a lock for more than a second.
      const writing = open({ statementTimeoutMilliseconds: 2_000 });
      const results: string[] = [];
      let [position, stopped] = [100_000, false];
      const write = async () => {
        while (!stopped) {
          const result = await addEvent(writing, siteId, ++position).then(
            () => 'written',
            (error: Error) => error.message,
          );
          results.push(result);
        }
      };
      const writers = [write(), write(), write(), write()];

      const endReading = await openTransaction(other, 'SELECT count(*) FROM events');
      const migrated = database.migrate(networks, report);
      await reported('a table is in use, trying again until it is free. The oldest open transaction is that');
      const before = results.length;
      await sleep(1_500);
      expect(results.length).toBeGreaterThan(before);
      expect(await indexes(database)).toEqual([]);
      await endReading();
      expect(await migrated).toEqual(['9001-networks']);
      stopped = true;
      await Promise.all(writers);
      expect(new Set(results)).toEqual(new Set(['written']));
      expect(await indexes(database)).toEqual(allValid);
      expect(await database.migrate(networks)).toEqual([]);
      expect((await appliedMigrations(database)).at(-1)).toMatchObject({
        name: '9001-networks',
        usableFrom: newest,
        remainingSteps: 0,
      });
    },
  );

  onPostgres(
    'a migration that was ended in the middle of an index is continued by the next run',
    async () => {
      const { database, siteId, other, reports, report } = await start();
      await addEvent(database, siteId, 1_000);
      const endSnapshot = await openSnapshot(other);
      const outcome = database.migrate(networks).catch((error: unknown) => error);
      await untilIndexWaits(database);
      await endMigrating(database);
      expect(await outcome).toBeInstanceOf(StoreUnavailable);
      await endSnapshot();
      expect(await indexes(database)).toEqual([{ name: 'events_by_network', valid: false }]);
      const applied = await appliedMigrations(database);
      expect(applied.at(-1)).toMatchObject({ name: '9001-networks', remainingSteps: 3 });
      expect(pendingMigrations(networks, applied).map(({ name }) => name)).toEqual(['9001-networks']);
      // A version that does not know it can start meanwhile.
      expect(await database.migrate(ofThisVersion)).toEqual([]);

      expect(await database.migrate(networks, report)).toEqual(['9001-networks']);
      expect(reports.join('\n')).toContain(
        'drops the incomplete index events_by_network of an earlier attempt',
      );
      expect(await indexes(database)).toEqual(allValid);
    },
  );

  onPostgres('so is one on Citus, where the shards do not have the incomplete index', async () => {
    const { open, url, database, siteId, other } = await start();
    await installCitusStandIn(url);
    await addEvent(database, siteId, 1_000);
    const endSnapshot = await openSnapshot(other);
    const interrupted = open().migrate(networks);
    interrupted.catch(() => {});
    await untilIndexWaits(database);
    await endMigrating(database);
    await expect(interrupted).rejects.toBeInstanceOf(StoreUnavailable);
    await endSnapshot();
    expect(await open().migrate(networks)).toEqual(['9001-networks']);
    expect(await indexes(database)).toEqual(allValid);
  });

  onPostgres.each(['PostgreSQL', 'Citus'])(
    'a user who may not create extensions migrates where a superuser has created them: %s',
    async (server) => {
      const url = new URL(await store.freshUrl());
      const owner = postgres(url.href, { max: 1, onnotice: () => {} });
      const role = `plain_${newId().replaceAll('-', '')}`;
      onTestFinished(async () => {
        await owner.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
        await owner.end();
      });
      for (const name of ['pg_trgm', 'btree_gin']) await owner.unsafe(`CREATE EXTENSION ${name}`);
      if (server === 'Citus') await installCitusStandIn(url.href);
      await owner.unsafe(`CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}`);
      url.username = role;
      const database = openDatabase(url.href);
      try {
        expect(await database.migrate(ofThisVersion)).toHaveLength(ofThisVersion.length);
      } finally {
        await database.close();
      }
    },
  );

  onPostgres('of two processes that migrate at once one waits, and both finish', async () => {
    const { open, database, other, report, reported } = await start();
    const endSnapshot = await openSnapshot(other);
    const first = database.migrate(networks);
    await untilIndexWaits(database);
    const second = open().migrate(networks, report);
    await reported('another process is migrating the database');
    await endSnapshot();
    expect(await Promise.all([first, second])).toEqual([['9001-networks'], []]);
    expect(await indexes(database)).toEqual(allValid);
  });

  onPostgres('an interrupted change in steps is continued, and changes every row once', async () => {
    const { database, other, report, reported } = await start();
    const numbers = migration(
      '9001-numbers',
      `CREATE TABLE numbers (number integer PRIMARY KEY, changes integer NOT NULL);
       INSERT INTO numbers SELECT number, 0 FROM generate_series(1, 2500) AS number;`,
    );
    const changes = migration(
      '9002-changes',
      '-- step: batches of numbers by number\nUPDATE numbers SET changes = changes + 1 WHERE :batch;',
    );
    await database.migrate([...ofThisVersion, numbers]);
    const all = [...ofThisVersion, numbers, changes];
    const unlock = await openTransaction(other, 'SELECT * FROM numbers WHERE number = 1500 FOR UPDATE');
    const outcome = database.migrate(all, report).catch((error: unknown) => error);
    await reported('a table is in use');
    await endMigrating(database);
    expect(await outcome).toBeInstanceOf(StoreUnavailable);
    const changed = sql`SELECT changes, count(*) AS numbers FROM numbers GROUP BY changes ORDER BY changes`;
    expect(await database.all(changed)).toEqual([
      { changes: 0, numbers: 1_500 },
      { changes: 1, numbers: 1_000 },
    ]);
    await unlock();
    expect(await database.migrate(all)).toEqual(['9002-changes']);
    expect(await database.all(changed)).toEqual([{ changes: 1, numbers: 2_500 }]);
  });

  onPostgres('a failed migration leaves nothing of the step that failed', async () => {
    const { database } = await start();
    const broken = migration(
      '9001-broken',
      `-- step: transaction
ALTER TABLE events ADD COLUMN network text;
-- step: transaction
ALTER TABLE members ADD COLUMN network text;
ALTER TABLE missing ADD COLUMN network text;
`,
    );
    await expect(database.migrate([...ofThisVersion, broken])).rejects.toThrow('"missing" does not exist');
    const columns = await database.all(sql`
      SELECT attrelid::regclass::text AS name FROM pg_attribute WHERE attname = 'network' AND attrelid IN
        ('events'::regclass, 'members'::regclass)`);
    expect(columns).toEqual([{ name: 'events' }]);
    expect((await appliedMigrations(database)).at(-1)).toMatchObject({
      name: '9001-broken',
      remainingSteps: 1,
    });
  });

  onPostgres(
    'a unique index that cannot be built leaves no incomplete one, which would reject rows',
    async () => {
      const { database, siteId } = await start();
      const unique = migration(
        '9001-unique',
        '-- step: concurrently\nCREATE UNIQUE INDEX CONCURRENTLY events_by_network ON events (site_id, type);',
      );
      for (const position of [1_000, 1_001]) await addEvent(database, siteId, position);
      await expect(database.migrate([...ofThisVersion, unique])).rejects.toThrow('events_by_network');
      expect(await indexes(database)).toEqual([]);
      await addEvent(database, siteId, 1_002);
    },
  );
});
