import sql, { raw } from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { newId } from '../../base/ids.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import { migrate, migrationsFor } from './migrations.ts';

const policies = ['members_only', 'allowed_domains', 'open'];
const emailTypes = [
  'login_link',
  'invitation',
  'session_limit',
  'webhook_disabled',
  'new_passkey',
  'new_browser',
];
const tables = ['sites', 'members', 'emails', 'login_links'];
const time = '2026-01-05T08:00:00.000Z';

/** A site of each sign-up policy, each with an email of each type. */
async function fill(database: Database): Promise<void> {
  for (const policy of policies) {
    const site = newId();
    const domains = JSON.stringify([{ domain: 'example.com', accessGroupIds: [newId()] }]);
    await database.run(sql`
      INSERT INTO sites (id, slug, title, status, sign_up_policy, sign_up_domains, created_at, updated_at)
      VALUES (${site}, ${`site-${policy}`}, 'Club', 'active', ${policy}, ${domains}, ${time}, ${time})`);
    await database.run(sql`
      INSERT INTO members (site_id, id, email, search_text, status, created_at, updated_at)
      VALUES (${site}, ${newId()}, 'ada@example.com', 'ada', 'active', ${time}, ${time})`);
    await database.run(sql`
      INSERT INTO login_links (site_id, id, email, next_path, language, status, created_at, expires_at)
      VALUES (${site}, ${newId()}, 'ada@example.com', '/', 'en', 'requested', ${time}, ${time})`);
    for (const type of emailTypes)
      await database.run(sql`
        INSERT INTO emails (site_id, id, type, recipient, subject, content, status, created_at)
        VALUES (${site}, ${newId()}, ${type}, 'ada@example.com', 'Hello', '{}', 'sent', ${time})`);
  }
}

async function rowsOf(database: Database): Promise<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  for (const table of tables) rows[table] = await database.all(raw(`SELECT * FROM ${table} ORDER BY id`));
  return rows;
}

forEachStore((store) => {
  const no = store.dialect === 'sqlite' ? 0 : false;

  /** A database with rows of the first version, migrated to this one. */
  async function aMigratedDatabase() {
    const url = await store.freshUrl();
    const former = openDatabase(url);
    await former.migrate(migrationsFor(store.dialect).slice(0, 1));
    await fill(former);
    const before = await rowsOf(former);
    await migrate(former);
    await former.close();
    const database = openDatabase(url);
    onTestFinished(() => database.close());
    return { database, before };
  }

  test('sites with their sign-up policies, members, login links and emails stay as they are', async () => {
    const { database, before } = await aMigratedDatabase();
    const after = await rowsOf(database);
    for (const table of tables)
      expect(after[table], table).toEqual(before[table]!.map((row) => expect.objectContaining(row)));
    const off = { allows_access_requests: no };
    expect(after.sites).toEqual(policies.map(() => expect.objectContaining(off)));
    expect(after.login_links).toEqual(policies.map(() => expect.objectContaining({ joining: null })));
  });

  test('the version before can still write, and the new values are checked', async () => {
    const { database } = await aMigratedDatabase();
    await database.run(sql`UPDATE sites SET slug = 'former-' || slug`);
    await fill(database);
    await database.run(sql`UPDATE sites SET sign_up_policy = 'approval'`);
    await database.run(sql`UPDATE emails SET type = 'join_requests'`);
    await expect(database.run(sql`UPDATE sites SET sign_up_policy = 'anyone'`)).rejects.toThrow();
    await expect(database.run(sql`UPDATE emails SET type = 'letter'`)).rejects.toThrow();
  });

  test('the version before can delete a member who has joined with an invitation', async () => {
    const { database } = await aMigratedDatabase();
    const member = (await database.get<{ site: string; id: string }>(
      sql`SELECT site_id AS site, id FROM members LIMIT 1`,
    ))!;
    const invitation = newId();
    const values = { note: '', group_ids: '[]', email_domains: '[]', maker_type: 'system' };
    await database.transaction(async (tx) => {
      await tx.insert(
        'invitations',
        ['site_id', 'id', ...Object.keys(values), 'needs_approval', 'expires_at', 'created_at', 'updated_at'],
        [[member.site, invitation, ...Object.values(values), no, time, time, time]],
      );
      await tx.insert(
        'invitation_redemptions',
        ['site_id', 'id', 'invitation_id', 'member_id', 'is_new_member', 'redeemed_at'],
        [[member.site, newId(), invitation, member.id, no, time]],
      );
    });
    await database.run(sql`DELETE FROM members WHERE id = ${member.id}`);
    expect(await database.all(sql`SELECT id FROM invitation_redemptions`)).toEqual([]);
  });
});
