import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import { migrate, migrationsFor } from './migrations.ts';

const time = '2026-01-05T08:00:00.000Z';

/** A site as the version before stores it. */
async function fill(database: Database, slug: string): Promise<string> {
  const id = newId();
  await database.run(sql`
    INSERT INTO sites (id, slug, title, status, created_at, updated_at)
    VALUES (${id}, ${slug}, 'Club', 'active', ${time}, ${time})`);
  return id;
}

const sitesOf = (database: Database) =>
  database.all<Record<string, unknown>>(raw('SELECT * FROM sites ORDER BY id'));

forEachStore((store) => {
  const no = store.dialect === 'sqlite' ? 0 : false;

  /** A database with a site of the version before, migrated to this one. */
  async function aMigratedDatabase() {
    const url = await store.freshUrl();
    const former = openDatabase(url);
    const migrations = migrationsFor(store.dialect);
    const index = migrations.findIndex(({ name }) => name.startsWith('0007-'));
    await former.migrate(migrations.slice(0, index));
    const siteId = await fill(former, 'club');
    const before = await sitesOf(former);
    await migrate(former);
    await former.close();
    const database = openDatabase(url);
    onTestFinished(() => database.close());
    const insert = (values: Record<string, unknown> = {}) => {
      const row = {
        site_id: siteId,
        id: newId(),
        type: 'oidc',
        name: 'Club',
        issuer: 'https://id.example.org',
        client_id: 'gatehouse',
        sealed_secret: '',
        settings: '{}',
        email_trust: 'claim',
        group_map: '[]',
        enabled: no,
        created_at: time,
        updated_at: time,
        ...values,
      };
      return database.transaction((tx) =>
        tx.insert('login_providers', Object.keys(row), [Object.values(row)]),
      );
    };
    return { database, before, insert };
  }

  test('sites stay as they are and have no provider, also those that the version before creates', async () => {
    const { database, before } = await aMigratedDatabase();
    await fill(database, 'former');
    const none = { has_login_providers: no };
    expect(await sitesOf(database)).toEqual([
      expect.objectContaining({ ...before[0], ...none }),
      expect.objectContaining(none),
    ]);
  });

  test('a site has an issuer once, and the trust in emails is checked', async () => {
    const { database, insert } = await aMigratedDatabase();
    await insert();
    await expect(insert()).rejects.toThrow();
    await expect(insert({ issuer: 'https://other.example.org', email_trust: 'sometimes' })).rejects.toThrow();
    await insert({ issuer: 'https://ID.example.org' });
    expect(await database.all(sql`SELECT id FROM login_providers`)).toHaveLength(2);
  });
});
