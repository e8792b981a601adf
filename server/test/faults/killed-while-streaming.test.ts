import { Gatehouse } from '@gatehouse/client';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { effort } from '../effort.ts';
import { freePort } from '../free-port.ts';
import { forEachStore } from '../stores.ts';
import { type GatehouseProcess, makeSite, startProcess } from './gatehouse-process.ts';
import { writeWhileKilled } from './writes-while-killed.ts';

const readersOfProcess = 2;
const { streamedChanges, streamKills } = effort;

forEachStore((store) => {
  test(`killed ${streamKills} times, Gatehouse streams each of ${streamedChanges} changes once and in order`, {
    timeout: 120_000 + streamedChanges * 60,
  }, async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, key } = await makeSite(databaseUrl);
    const database = openDatabase(databaseUrl, { poolSize: 2 });
    const feed = async () => {
      const rows = await database.all<{ id: string }>(
        sql`SELECT id FROM events WHERE site_id = ${siteId} ORDER BY position`,
      );
      return rows.map(({ id }) => id);
    };
    const before = (await feed()).at(-1)!;
    // Only PostgreSQL has several processes. Each keeps its port, so that its readers find it again.
    const ports = await Promise.all(Array.from({ length: store.dialect === 'postgres' ? 2 : 1 }, freePort));
    const start = (port: number) => startProcess(databaseUrl, { GATEHOUSE_PORT: port });
    const processes: GatehouseProcess[] = await Promise.all(ports.map(start));

    const stop = new AbortController();
    const seen: string[][] = [];
    const reading = ports.flatMap((port) =>
      Array.from({ length: readersOfProcess }, async () => {
        const ids: string[] = [];
        seen.push(ids);
        const { events } = new Gatehouse({ url: `http://127.0.0.1:${port}`, key });
        for await (const { id } of events.stream({ after: before, signal: stop.signal })) ids.push(id);
      }),
    );

    const restart = (index: number) => start(ports[index]!);
    await writeWhileKilled({ key, changes: streamedChanges, kills: streamKills, processes, restart });

    const ids = (await feed()).slice(1 + (await feed()).indexOf(before));
    // One event for each member, none of a change that was rolled back, and none twice.
    expect(ids.length).toBe(streamedChanges);
    for (const received of seen)
      await expect.poll(() => received.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(ids.length);
    stop.abort();
    await Promise.all(reading);
    for (const received of seen) expect(received).toEqual(ids);
    await database.close();
  });
});
