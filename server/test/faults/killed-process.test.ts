import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { effort } from '../effort.ts';
import { forEachStore } from '../stores.ts';
import { BulkWriters, expectEveryEvent, expectExactCounter, expectWholeRequests } from './bulk-writers.ts';
import { type GatehouseProcess, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

const { kills } = effort;

forEachStore((store) => {
  test(`killed ${kills} times while it writes, Gatehouse loses no acknowledged change and duplicates nothing`, {
    timeout: 60_000 + kills * 10_000,
  }, async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, key } = await makeSite(databaseUrl);
    const database = openDatabase(databaseUrl, { poolSize: 2 });
    let gatehouse: GatehouseProcess | undefined;
    const request = requestsWith(key, () => gatehouse!.address);
    let groupId = '';

    for (let kill = 0; kill < kills; kill += 1) {
      gatehouse = await startProcess(databaseUrl, { GATEHOUSE_LOG_LEVEL: 'info' });
      expect((await fetch(`${gatehouse.address}/readyz`)).status).toBe(200);
      groupId ||= (await request('POST', '/access-groups', { name: 'Everybody' }))!.body.data.id;

      const writers = new BulkWriters(request, groupId);
      while (writers.answered(207) < 2) await sleep(5);
      await sleep(Math.random() * 100);
      await gatehouse.kill();
      await writers.stop();

      expect(writers.sent.some(({ status }) => status === undefined)).toBe(true);
      await expectWholeRequests(database, siteId, writers.sent);
      await expectExactCounter(database, siteId, groupId);
      gatehouse = await startProcess(databaseUrl);
      await writers.repeatAll();
      await expectExactCounter(database, siteId, groupId);
      await gatehouse.kill();
    }
    await expectEveryEvent(database, siteId);
    if (store.dialect === 'sqlite')
      expect(await database.all(sql`PRAGMA integrity_check`)).toEqual([{ integrity_check: 'ok' }]);
    await database.close();
  });
});
