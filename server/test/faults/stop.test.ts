import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { forEachStore } from '../stores.ts';
import { BulkWriters, expectWholeRequests } from './bulk-writers.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

forEachStore((store) => {
  test('told to stop, Gatehouse answers what is under way, takes no more, and ends within ten seconds', async () => {
    const databaseUrl = await store.freshUrl();
    const { siteId, key } = await makeSite(databaseUrl);
    const gatehouse = await startProcess(databaseUrl);
    const request = requestsWith(key, () => gatehouse.address);
    const groupId = (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;
    const { hostname, port } = new URL(gatehouse.address);
    const idle = connect(Number(port), hostname);
    const halfway = connect(Number(port), hostname, () =>
      halfway.write('POST /api/v1/members HTTP/1.1\r\nHost: x\r\n'),
    );
    for (const socket of [idle, halfway]) socket.on('error', () => {});
    await once(idle, 'connect');

    const writers = new BulkWriters(request, groupId);
    await eventually('a first answer', 10_000, async () => writers.answered(207) > 3);
    gatehouse.child.kill('SIGTERM');
    const late = setTimeout(() => gatehouse.child.kill('SIGKILL'), 10_000);
    expect(await gatehouse.exited).toBe(0);
    clearTimeout(late);
    await writers.stop();

    await expect(fetch(`${gatehouse.address}/healthz`)).rejects.toThrow();
    const database = openDatabase(databaseUrl);
    await expectWholeRequests(database, siteId, writers.sent);
    await database.close();
  });

  test('with Redis out of reach the limits are counted in the process', async () => {
    const databaseUrl = await store.freshUrl();
    const { key } = await makeSite(databaseUrl);
    // Nothing listens on port 1.
    const gatehouse = await startProcess(databaseUrl, {
      GATEHOUSE_REDIS_URL: 'redis://127.0.0.1:1',
      GATEHOUSE_RATE_LIMIT: 5,
    });
    const request = requestsWith(key, () => gatehouse.address);
    const statuses = [];
    for (let number = 0; number < 7; number += 1) statuses.push((await request('GET', '/members'))!.status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});
