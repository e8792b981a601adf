import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import { migrate, migrationsFor } from './migrations.ts';

const time = '2026-01-05T08:00:00.000Z';

/** An operator with a role on a site, as the version before stores them. */
async function fill(database: Database) {
  const [tenantId, operatorId, operatedSiteId] = [newId(), newId(), newId()];
  for (const [id, slug] of [
    [tenantId, 'operators'],
    [operatedSiteId, 'club'],
  ])
    await database.run(sql`
      INSERT INTO sites (id, slug, title, status, created_at, updated_at)
      VALUES (${id}, ${slug}, 'Club', 'active', ${time}, ${time})`);
  await database.run(sql`
    INSERT INTO members (site_id, id, email, search_text, status, created_at, updated_at)
    VALUES (${tenantId}, ${operatorId}, 'ada@example.com', 'ada', 'active', ${time}, ${time})`);
  await database.run(sql`
    INSERT INTO operator_roles (site_id, id, operator_id, role, created_at)
    VALUES (${operatedSiteId}, ${newId()}, ${operatorId}, 'owner', ${time})`);
  return { tenantId, operatorId, operatedSiteId };
}

async function rowsOf(database: Database): Promise<Record<string, unknown>[][]> {
  const tables = ['sites', 'members', 'operator_roles'];
  return Promise.all(
    tables.map((table) => database.all<Record<string, unknown>>(raw(`SELECT * FROM ${table} ORDER BY id`))),
  );
}

forEachStore((store) => {
  /** A database with rows of the second version, migrated to this one. */
  async function aMigratedDatabase() {
    const url = await store.freshUrl();
    const former = openDatabase(url);
    await former.migrate(migrationsFor(store.dialect).slice(0, 2));
    const ids = await fill(former);
    const before = await rowsOf(former);
    await migrate(former);
    await former.close();
    const database = openDatabase(url);
    onTestFinished(() => database.close());
    const save = (name: string) =>
      database.transaction((tx) =>
        tx.insert(
          'saved_views',
          ['site_id', 'id', 'operator_id', 'operated_site_id', 'name', 'search', 'created_at'],
          [[ids.tenantId, newId(), ids.operatorId, ids.operatedSiteId, name, 'ends=30', time]],
        ),
      );
    return { database, before, save, ...ids };
  }

  test('sites, operators and their roles stay as they are', async () => {
    const { database, before } = await aMigratedDatabase();
    const after = await rowsOf(database);
    expect(after).toEqual(before.map((rows) => rows.map((row) => expect.objectContaining(row))));
    expect(before.flat()).toHaveLength(4);
  });

  test('the version before can delete an operator who has saved views', async () => {
    const { database, save, operatorId } = await aMigratedDatabase();
    await save('Ending soon');
    await expect(save('Ending soon')).rejects.toThrow();
    await database.run(sql`DELETE FROM operator_roles`);
    await database.run(sql`DELETE FROM members WHERE id = ${operatorId}`);
    expect(await database.all(sql`SELECT id FROM saved_views`)).toEqual([]);
  });
});
