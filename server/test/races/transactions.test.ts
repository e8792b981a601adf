import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { forEachStoreVersion } from '../stores.ts';
import { atOnce } from './contenders.ts';

forEachStoreVersion((store) => {
  test('reads between the statements of a transaction do not become part of it', async () => {
    const database = openDatabase(await store.freshUrl(), { poolSize: 4 });
    await migrate(database);
    const inTransaction =
      database.dialect === 'postgres'
        ? sql`SELECT pg_current_xact_id()::text AS id`
        : sql`SELECT 'the only one' AS id`;
    let reading = true;
    const reads = atOnce(8, async () => {
      while (reading) {
        await database.get(sql`SELECT count(*) AS sites FROM sites`);
        // SQLite responds immediately, and a tight loop would block everything else.
        await new Promise(setImmediate);
      }
    });
    // No more than get one of the connections in time, also on a slow machine.
    await atOnce(16, () =>
      database.transaction(async (tx) => {
        const ids = new Set<string>();
        for (let statement = 0; statement < 10; statement += 1)
          ids.add((await tx.get<{ id: string }>(inTransaction))!.id);
        expect(ids.size).toBe(1);
      }),
    );
    reading = false;
    await reads;
    await database.close();
  });
});
