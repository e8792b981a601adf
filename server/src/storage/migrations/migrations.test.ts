import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { forEachStoreVersion } from '../../../test/stores.ts';
import { newId } from '../../base/ids.ts';
import { openDatabase } from '../open.ts';
import { migrate, migrationsFor } from './migrations.ts';

forEachStoreVersion((store) => {
  test('migrating a database from before the dashboard keeps its sites and emails', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0005'));
      const [siteId, emailId, at] = [newId(), newId(), '2026-01-05T08:00:00.000Z'];
      await database.run(sql`
        INSERT INTO sites (id, slug, title, domain, status, created_at, updated_at)
        VALUES (${siteId}, 'club', 'Club', 'club.example.org', 'active', ${at}, ${at})`);
      await database.run(sql`
        INSERT INTO mails (site_id, id, kind, recipient, content, state, next_attempt_at, created_at)
        VALUES (${siteId}, ${emailId}, 'login_link', 'ada@example.com', '{}', 'waiting', ${at}, ${at})`);
      expect((await migrate(database))[0]).toBe('0005-dashboard');
      expect(
        await database.all(sql`SELECT site_id, id, kind, recipient, content, state, subject FROM emails`),
      ).toEqual([
        {
          site_id: siteId,
          id: emailId,
          kind: 'login_link',
          recipient: 'ada@example.com',
          content: '{}',
          state: 'waiting',
          subject: '',
        },
      ]);
      await database.run(sql`UPDATE emails SET kind = 'invitation' WHERE site_id = ${siteId}`);
      await expect(
        database.run(sql`UPDATE emails SET kind = 'other' WHERE site_id = ${siteId}`),
      ).rejects.toThrow();
      expect(await database.all(sql`SELECT slug, domain, operator_host FROM sites`)).toEqual([
        { slug: 'club', domain: 'club.example.org', operator_host: null },
      ]);
    } finally {
      await database.close();
    }
  });

  test('migrating a database from before jobs records the time of the oldest event of each site', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0010'));
      const [siteId, emptyId, at] = [newId(), newId(), '2026-01-05T08:00:00.000Z'];
      const times = ['2026-01-06T08:00:00.000Z', '2026-01-07T08:00:00.000Z'];
      for (const [index, id] of [siteId, emptyId].entries()) {
        await database.run(sql`
          INSERT INTO sites (id, slug, title, status, created_at, updated_at)
          VALUES (${id}, ${`club-${index}`}, 'Club', 'active', ${at}, ${at})`);
        await database.run(sql`INSERT INTO event_heads (site_id, position) VALUES (${id}, 2)`);
      }
      for (const [index, time] of times.entries()) {
        await database.run(sql`
          INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, data)
          VALUES (${siteId}, ${index + 1}, ${newId()}, 'custom', ${time}, 'system', '{}')`);
      }
      await migrate(database);
      expect(await database.all(sql`SELECT site_id, oldest_at FROM event_heads ORDER BY oldest_at`)).toEqual([
        { site_id: emptyId, oldest_at: at },
        { site_id: siteId, oldest_at: times[0] },
      ]);
    } finally {
      await database.close();
    }
  });

  test('migrating a database with the names of before keeps its rows, permissions and events', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0011'));
      const [siteId, linkId, emailId, at] = [newId(), newId(), newId(), '2026-01-05T08:00:00.000Z'];
      await database.run(sql`
        INSERT INTO sites (id, slug, title, realm_host, status, created_at, updated_at)
        VALUES (${siteId}, 'club', 'Club', 'club.example.org', 'active', ${at}, ${at})`);
      await database.run(sql`
        INSERT INTO event_heads (site_id, position, oldest_at) VALUES (${siteId}, 2, ${at})`);
      await database.run(sql`
        INSERT INTO login_links (site_id, id, email, next_path, language, state, created_at, expires_at)
        VALUES (${siteId}, ${linkId}, 'ada@example.com', '/', 'en', 'asked', ${at}, ${at})`);
      await database.run(sql`
        INSERT INTO mails (site_id, id, kind, recipient, login_link_id, subject, content, state, created_at)
        VALUES (${siteId}, ${emailId}, 'login_link', 'ada@example.com', ${linkId}, 'Log in', '{}', 'kept', ${at})`);
      await database.run(sql`
        INSERT INTO departed_items (site_id, list, item_id, departed_at)
        VALUES (${siteId}, 'mails', ${newId()}, ${at})`);
      await database.run(sql`
        INSERT INTO api_keys (site_id, id, name, hash, ending, permissions, created_at)
        VALUES (${siteId}, ${newId()}, 'Shop', 'hash', 'x7Qa', '["mails:read","site:read"]', ${at})`);
      for (const [index, [type, data]] of [
        ['key.created', '{"permissions":["mails:read"]}'],
        ['session.revoked', '{"reason":"signed_out"}'],
      ].entries()) {
        await database.run(sql`
          INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, data)
          VALUES (${siteId}, ${index + 1}, ${newId()}, ${type}, ${at}, 'system', ${data})`);
      }
      await migrate(database);
      const rows = {
        sites: await database.all(sql`SELECT operator_host FROM sites`),
        links: await database.all(sql`SELECT id, state FROM login_links`),
        emails: await database.all(sql`SELECT id, login_link_id, state FROM emails`),
        tombstones: await database.all(sql`SELECT list, deleted_at FROM cursor_tombstones`),
        keys: await database.all(sql`SELECT permissions FROM api_keys`),
        events: await database.all(sql`SELECT data FROM events ORDER BY position`),
      };
      expect(rows).toEqual({
        sites: [{ operator_host: 'club.example.org' }],
        links: [{ id: linkId, state: 'requested' }],
        emails: [{ id: emailId, login_link_id: linkId, state: 'not_sent' }],
        tombstones: [{ list: 'emails', deleted_at: at }],
        keys: [{ permissions: '["emails:read","site:read"]' }],
        events: [{ data: '{"permissions":["emails:read"]}' }, { data: '{"reason":"logged_out"}' }],
      });
    } finally {
      await database.close();
    }
  });

  test('the migration removes only permissions of features that do not exist from API keys', async () => {
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

  test('migrating a database in which two sites share a name keeps both, and names each host', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0025'));
      const at = '2026-01-05T08:00:00.000Z';
      const names = {
        'club.example.org': 'club.example.org',
        'www.club.example.org': 'club.example.org',
        'www.www.forum.example.org:8443': 'forum.example.org',
        'www.a.www.example.org': 'a.www.example.org',
        'wwwx.example.org': 'wwwx.example.org',
        'www.localhost:8081': 'www.localhost:8081',
        'localhost:8081': 'localhost:8081',
        '127.0.0.1:8080': '127.0.0.1:8080',
      };
      for (const [index, domain] of Object.keys(names).entries()) {
        const id = newId();
        await database.run(sql`
          INSERT INTO sites (id, slug, title, domain, status, created_at, updated_at)
          VALUES (${id}, ${`club-${index}`}, 'Club', ${domain}, 'active', ${at}, ${at})`);
        await database.run(sql`INSERT INTO site_hosts (site_id, domain) VALUES (${id}, ${domain})`);
      }
      await migrate(database);
      const rows = await database.all<{ domain: string; bare_name: string }>(
        sql`SELECT domain, bare_name FROM site_hosts`,
      );
      expect(Object.fromEntries(rows.map(({ domain, bare_name }) => [domain, bare_name]))).toEqual(names);
      // A version before still stores hosts during the migration.
      const [{ site_id } = { site_id: '' }] = await database.all<{ site_id: string }>(
        sql`SELECT site_id FROM site_hosts WHERE domain = 'club.example.org'`,
      );
      await database.run(
        sql`INSERT INTO site_hosts (site_id, domain) VALUES (${site_id}, 'late.example.org')`,
      );
    } finally {
      await database.close();
    }
  });

  test('migrating a database gives each operator an id of its own on each site, also in earlier events', async () => {
    const database = openDatabase(await store.freshUrl(), {});
    try {
      await database.migrate(migrationsFor(store.dialect).filter(({ name }) => name < '0031'));
      const at = '2026-01-05T08:00:00.000Z';
      const [club, forum] = ['01980a2f-5b10-7c55-8a01-6f0d2c9b7e11', '01990a2f-5b10-7c55-8a01-6f0d2c9b7e11'];
      const [ada, removed, key] = [newId(), newId(), newId()];
      for (const [id, slug] of [
        [club, 'club'],
        [forum, 'forum'],
      ] as const) {
        await database.run(sql`
          INSERT INTO sites (id, slug, title, status, created_at, updated_at)
          VALUES (${id}, ${slug}, 'Club', 'active', ${at}, ${at})`);
        await database.run(sql`
          INSERT INTO event_heads (site_id, position, oldest_at) VALUES (${id}, 8, ${at})`);
      }
      const roles = [
        { site_id: club, role: 'owner', invited_name: 'Ada', session_id: newId(), last_login_at: at },
        { site_id: forum, role: 'viewer', invited_name: null, session_id: null, last_login_at: null },
      ];
      for (const { site_id, role, invited_name, session_id, last_login_at } of roles) {
        await database.run(sql`
          INSERT INTO operator_roles (site_id, operator_id, role, invited_name, session_id, last_login_at, created_at)
          VALUES (${site_id}, ${ada}, ${role}, ${invited_name}, ${session_id}, ${last_login_at}, ${at})`);
      }
      const named = (id: string) => ({
        operator: { id, email: 'a@example.com', displayName: null, role: 'owner' },
      });
      const stored = [
        [club, 'operator.invited', 'operator', null, named(ada)],
        [club, 'operator.login', 'operator', ada, { operatorId: ada }],
        [club, 'member.created', 'operator', removed, { memberId: removed }],
        [club, 'operator.updated', 'operator', ada, { operatorId: removed, changes: [] }],
        [club, 'operator.removed', 'key', key, { operatorId: removed }],
        [club, 'member.updated', 'member', removed, { memberId: removed }],
        [forum, 'operator.invited', 'operator', removed, named(ada)],
      ] as const;
      for (const [index, [siteId, type, actorType, actorId, data]] of stored.entries()) {
        await database.run(sql`
          INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, actor_id, data)
          VALUES (${siteId}, ${index + 1}, ${newId()}, ${type}, ${at}, ${actorType}, ${actorId}, ${JSON.stringify(data)})`);
      }
      await migrate(database);
      const [{ id: adaAtClub }, { id: adaAtForum }] = (await database.all<{ id: string }>(sql`
        SELECT id, site_id, role, invited_name, session_id, last_login_at FROM operator_roles
        WHERE operator_id = ${ada} ORDER BY site_id`)) as [{ id: string }, { id: string }];
      expect(
        await database.all(sql`
          SELECT site_id, role, invited_name, session_id, last_login_at FROM operator_roles
          WHERE operator_id = ${ada} ORDER BY site_id`),
      ).toEqual(roles);
      const events = await database.all<{ actor_id: string | null; data: string }>(
        sql`SELECT actor_id, data FROM events ORDER BY site_id, position`,
      );
      const [removedAtClub, removedAtForum] = [events[2]!.actor_id!, events[6]!.actor_id!];
      expect(events.map(({ actor_id, data }) => [actor_id, JSON.parse(data)])).toEqual([
        [null, named(adaAtClub)],
        [adaAtClub, { operatorId: adaAtClub }],
        [removedAtClub, { memberId: removed }],
        [adaAtClub, { operatorId: removedAtClub, changes: [] }],
        [key, { operatorId: removedAtClub }],
        [removed, { memberId: removed }],
        [removedAtForum, named(adaAtForum)],
      ]);
      // A version before still gives a role during the migration.
      await database.run(sql`
        INSERT INTO operator_roles (site_id, operator_id, role, created_at) VALUES (${club}, ${newId()}, 'admin', ${at})`);
      const all = await database.all<{ id: string }>(sql`SELECT id FROM operator_roles`);
      const ids = [...all.map(({ id }) => id), removedAtClub, removedAtForum];
      expect(new Set([...ids, ada, removed]).size).toBe(7);
      for (const id of ids)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const timeOf = (id: string) => id.slice(0, 13);
      expect([adaAtClub, removedAtClub].map(timeOf)).toEqual([timeOf(club), timeOf(club)]);
      expect([adaAtForum, removedAtForum].map(timeOf)).toEqual([timeOf(forum), timeOf(forum)]);
    } finally {
      await database.close();
    }
  });
});
