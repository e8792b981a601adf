import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import { migrate, migrationsFor } from './migrations.ts';

const time = '2026-01-05T08:00:00.000Z';

/** A member with a passkey, as the version before stores them. */
async function fill(database: Database) {
  const [siteId, memberId] = [newId(), newId()];
  await database.run(sql`
    INSERT INTO sites (id, slug, title, status, created_at, updated_at)
    VALUES (${siteId}, 'club', 'Club', 'active', ${time}, ${time})`);
  await database.run(sql`
    INSERT INTO members (site_id, id, email, search_text, status, created_at, updated_at)
    VALUES (${siteId}, ${memberId}, 'ada@example.com', 'ada', 'active', ${time}, ${time})`);
  await database.run(sql`
    INSERT INTO passkeys (site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES (${siteId}, ${newId()}, ${memberId}, 'AAAA', 'BBBB', 3, '[]', 'Laptop', ${time})`);
  return { siteId, memberId };
}

forEachStore((store) => {
  /** A database with rows of the version before, migrated to this one. */
  async function aMigratedDatabase() {
    const url = await store.freshUrl();
    const former = openDatabase(url);
    await former.migrate(migrationsFor(store.dialect).slice(0, 5));
    const ids = await fill(former);
    const before = await former.all<object>(sql`SELECT * FROM passkeys`);
    await migrate(former);
    await former.close();
    const database = openDatabase(url);
    onTestFinished(() => database.close());
    return { database, before, ...ids };
  }

  test('passkeys stay as they are, and cannot be added twice', async () => {
    const { database, before, siteId } = await aMigratedDatabase();
    const after = await database.all<object>(sql`SELECT * FROM passkeys`);
    expect(before).toHaveLength(1);
    expect(after).toEqual(before.map((row) => expect.objectContaining({ ...row, rp_id: null })));
    const again = database.run(sql`
      INSERT INTO passkeys (site_id, id, member_id, credential_id, public_key, counter, transports, name, created_at)
      SELECT ${siteId}, ${newId()}, member_id, credential_id, public_key, 0, '[]', name, created_at FROM passkeys`);
    await expect(again).rejects.toThrow();
  });

  test('the version before can delete a member who has passkeys', async () => {
    const { database, siteId, memberId } = await aMigratedDatabase();
    await database.run(sql`
      INSERT INTO passkey_offers (site_id, member_id, offered_at) VALUES (${siteId}, ${memberId}, ${time})`);
    await database.run(sql`DELETE FROM members WHERE id = ${memberId}`);
    expect(await database.all(sql`SELECT id FROM passkeys`)).toEqual([]);
    expect(await database.all(sql`SELECT member_id FROM passkey_offers`)).toEqual([]);
  });
});
