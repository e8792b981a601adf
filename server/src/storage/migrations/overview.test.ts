import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { createIdGenerator } from '../../base/ids.ts';
import { openDatabase } from '../open.ts';
import { migrate, migrationsFor } from './migrations.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

forEachStore((store) => {
  test('activity that was purged is counted again, and what is stored stays as it is', async () => {
    const url = await store.freshUrl();
    const database = openDatabase(url);
    onTestFinished(() => database.close());
    const migrations = migrationsFor(store.dialect);
    await database.migrate(
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name.startsWith('0009-')),
      ),
    );
    const siteId = createIdGenerator()();
    const time = daysAgo(0).toISOString();
    await database.run(sql`
      INSERT INTO sites (id, slug, title, status, created_at, updated_at)
      VALUES (${siteId}, 'club', 'Club', 'active', ${time}, ${time})`);
    for (const [index, days] of [120, 60, 60, 38, 2].entries()) {
      const at = daysAgo(days);
      await database.run(sql`
        INSERT INTO members (site_id, id, email, search_text, status, created_at, updated_at)
        VALUES (${siteId}, ${createIdGenerator(() => at)()}, ${`m${index}@example.com`}, 'm', 'active',
                ${at.toISOString()}, ${time})`);
    }
    const login = daysAgo(60).toISOString();
    await database.run(sql`
      INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, data)
      VALUES (${siteId}, 1, ${createIdGenerator()()}, 'member.login', ${login}, 'system', '{}')`);
    const quarterOf = (days: number) =>
      new Date(Math.floor(daysAgo(days).getTime() / 900_000) * 900_000).toISOString();
    // The version before has counted one more at that time, and none in the last days.
    await database.run(sql`
      INSERT INTO activity_counts (site_id, starts_at, created, logins) VALUES (${siteId}, ${quarterOf(38)}, 2, 7)`);
    await migrate(database);
    const counts = await database.all(sql`
      SELECT created, logins, members, blocked FROM activity_counts WHERE site_id = ${siteId} ORDER BY starts_at`);
    expect(counts).toEqual([
      { created: 2, logins: 1, members: null, blocked: 0 },
      { created: 2, logins: 7, members: null, blocked: 0 },
    ]);
  });
});
