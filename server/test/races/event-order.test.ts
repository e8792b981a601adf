import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../change.ts';
import { forEachStoreVersion } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { atOnce } from './contenders.ts';

const writers = 8;
const writesEach = 12;

forEachStoreVersion((store) => {
  const server = useTestServer(store);

  test('a reader of the feed gets every event of many writers once, in order', async () => {
    const site = await server.createSite();
    const reader = follow(site);
    await atOnce(writers, async (writer) => {
      for (let number = 0; number < writesEach; number += 1) {
        const { status } = await site.post('/members', { email: `w${writer}-${number}@example.com` });
        expect(status).toBe(201);
      }
    });
    const seen = await reader.stop();
    expect(seen).toEqual(await inOrderOfTheirPositions(site));
    expect(seen.length).toBeGreaterThanOrEqual(writers * writesEach);
  });

  // SQLite has one writer, so no transaction can commit between another's event and its commit.
  if (store.dialect === 'postgres')
    test('an event whose transaction commits late is not skipped', async () => {
      const site = await server.createSite();
      const reader = follow(site);
      const gate = Promise.withResolvers<void>();
      const hasPosition = Promise.withResolvers<void>();
      const late = changing(server.database, site.siteId, async (change) => {
        const data = { siteId: site.siteId, changes: [] };
        change.record({ type: 'site.updated', data });
        await change.writeEvents();
        hasPosition.resolve();
        await gate.promise;
      });
      await hasPosition.promise;
      const others = atOnce(writers, (writer) =>
        site.post('/members', { email: `late-${writer}@example.com` }),
      );
      // Time for the others to overtake, if they could, and for the reader to read.
      await reader.rounds(10);
      gate.resolve();
      await Promise.all([late, others]);
      const seen = await reader.stop();
      expect(seen).toEqual(await inOrderOfTheirPositions(site));
      expect(seen).toHaveLength(2 + 1 + writers); // the site and its key, the late one, the others
    });

  async function inOrderOfTheirPositions(site: TestSite): Promise<string[]> {
    const rows = await server.database.all<{ id: string; position: number }>(
      sql`SELECT id, position FROM events WHERE site_id = ${site.siteId} ORDER BY position`,
    );
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
    return rows.map(({ id }) => id);
  }
});

/** Reads the feed repeatedly from the last event received, like a program that follows it. */
function follow(site: TestSite) {
  const seen: string[] = [];
  let rounds = 0;
  let stopping = false;

  async function readOn(): Promise<void> {
    for (;;) {
      const last = stopping;
      const after = seen.length > 0 ? `&after=${seen.at(-1)}` : '';
      const { status, body } = await site.get(`/events?limit=5${after}`);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      rounds += 1;
      // After it is stopped it reads to the end.
      if (last && body.data.length === 0) return;
    }
  }
  const reading = readOn();

  return {
    async rounds(count: number): Promise<void> {
      const end = rounds + count;
      while (rounds < end) await sleep(5);
    },
    async stop(): Promise<string[]> {
      stopping = true;
      await reading;
      return seen;
    },
  };
}
