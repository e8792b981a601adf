import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { effort } from '../effort.ts';
import { forEachStore, stopInTheEnd } from '../stores.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { testNetworks } from '../workspace-settings.ts';
import { makeSite, requestsWith, startProcess } from './gatehouse-process.ts';
import { writeWhileKilled } from './writes-while-killed.ts';

const { deliveredChanges, deliveryKills } = effort;

forEachStore((store) => {
  test(`killed ${deliveryKills} times, Gatehouse sends each of ${deliveredChanges} changes at least once`, {
    timeout: 180_000 + deliveredChanges * 60,
  }, async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, key } = await makeSite(databaseUrl, {
      permissions: ['members:write', 'events:read', 'webhooks:write'],
    });
    const database = openDatabase(databaseUrl, { poolSize: 2 });
    stopInTheEnd(() => database.close());

    // The first attempt of some messages fails, is slow or is not answered. Attempts of a message never overlap.
    const receiver = await startWebhookReceiver();
    stopInTheEnd(() => receiver.stop());
    const attempts = new Map<string, number>();
    const open = new Set<string>();
    let overlaps = 0;
    receiver.respond = (response, { body: { id } }) => {
      if (open.has(id)) overlaps += 1;
      open.add(id);
      response.once('close', () => open.delete(id));
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      const chance = attempt === 1 ? Math.random() : 1;
      if (chance < 0.03) response.writeHead(500).end();
      else if (chance < 0.04) response.destroy();
      else if (chance < 0.041)
        return; // not answered
      else if (chance < 0.1) setTimeout(() => response.writeHead(204).end(), 100);
      else response.writeHead(204).end();
    };
    const settings = { GATEHOUSE_ALLOWED_NETWORKS: testNetworks.join(',') };
    // Only PostgreSQL has several processes.
    const processes = await Promise.all(
      Array.from({ length: store.dialect === 'postgres' ? 2 : 1 }, () => startProcess(databaseUrl, settings)),
    );
    const webhook = { url: receiver.url, eventTypes: ['member.created'], parallelism: 10 };
    const made = await requestsWith(key, () => processes[0]!.address)('POST', '/webhooks', webhook);
    expect(made?.status).toBe(201);

    const restart = () => startProcess(databaseUrl, settings);
    await writeWhileKilled({ key, changes: deliveredChanges, kills: deliveryKills, processes, restart });

    const rows = await database.all<{ id: string }>(
      sql`SELECT id FROM events WHERE site_id = ${siteId} AND type = 'member.created' ORDER BY position`,
    );
    const created = rows.map(({ id }) => id);
    // One event for each member, and none of a change that was rolled back.
    expect(new Set(created).size).toBe(deliveredChanges);
    const missing = () => created.filter((id) => !attempts.has(id)).length;
    // What a killed process was sending is sent again when its lease has ended.
    await expect.poll(missing, { timeout: 120_000 + deliveredChanges * 20, interval: 500 }).toBe(0);
    expect([...attempts.keys()].filter((id) => !created.includes(id))).toEqual([]);
    expect(overlaps).toBe(0);
  });
});
