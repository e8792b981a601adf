import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { forEachStore } from '../../test/stores.ts';
import { newId } from '../base/ids.ts';
import { migrate, migrationsFor } from './migrations.ts';
import { openDatabase } from './open.ts';

forEachStore((store) => {
  test('a database from before there was a dashboard keeps its sites and mails', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0005'));
      const [siteId, mailId, at] = [newId(), newId(), '2026-01-05T08:00:00.000Z'];
      await database.run(sql`
        INSERT INTO sites (id, slug, title, domain, status, created_at, updated_at)
        VALUES (${siteId}, 'club', 'Club', 'club.example.org', 'active', ${at}, ${at})`);
      await database.run(sql`
        INSERT INTO mails (site_id, id, kind, recipient, content, state, next_attempt_at, created_at)
        VALUES (${siteId}, ${mailId}, 'login_link', 'ada@example.com', '{}', 'waiting', ${at}, ${at})`);
      expect((await migrate(database))[0]).toBe('0005-dashboard');
      expect(
        await database.all(sql`SELECT site_id, id, kind, recipient, content, state, subject FROM mails`),
      ).toEqual([
        {
          site_id: siteId,
          id: mailId,
          kind: 'login_link',
          recipient: 'ada@example.com',
          content: '{}',
          state: 'waiting',
          subject: '',
        },
      ]);
      await database.run(sql`UPDATE mails SET kind = 'invitation' WHERE site_id = ${siteId}`);
      await expect(
        database.run(sql`UPDATE mails SET kind = 'other' WHERE site_id = ${siteId}`),
      ).rejects.toThrow();
      expect(await database.all(sql`SELECT slug, domain, realm_host FROM sites`)).toEqual([
        { slug: 'club', domain: 'club.example.org', realm_host: null },
      ]);
    } finally {
      await database.close();
    }
  });

  test('a key from before loses the permissions of features that do not exist, and no other', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0006'));
      const [siteId, at] = [newId(), '2026-01-05T08:00:00.000Z'];
      await database.run(sql`
        INSERT INTO sites (id, slug, title, domain, status, created_at, updated_at)
        VALUES (${siteId}, 'club', 'Club', 'club.example.org', 'active', ${at}, ${at})`);
      const stored = [
        [newId(), '["members:write","webhooks:read","members:read","webhooks:write","scim","events:read"]'],
        [newId(), '["scim"]'],
        [newId(), '["site:read","members:read"]'],
      ] as const;
      for (const [id, permissions] of stored) {
        await database.run(sql`
          INSERT INTO api_keys (site_id, id, name, hash, ending, permissions, created_at)
          VALUES (${siteId}, ${id}, 'Shop', ${id}, 'x7Qa', ${permissions}, ${at})`);
      }
      await migrate(database);
      const keys = await database.all<{ permissions: string }>(
        sql`SELECT permissions FROM api_keys WHERE site_id = ${siteId} ORDER BY id`,
      );
      expect(keys.map(({ permissions }) => JSON.parse(permissions))).toEqual([
        ['members:write', 'members:read', 'events:read'],
        [],
        ['site:read', 'members:read'],
      ]);
    } finally {
      await database.close();
    }
  });
});
