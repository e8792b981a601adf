import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { effort } from '../effort.ts';
import { forEachStore, stopInTheEnd } from '../stores.ts';
import { expectExactCounter } from './bulk-writers.ts';
import { makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

const { kills } = effort;
const membersPerKill = 2_500;
const membersAtOnce = 500;

forEachStore((store) => {
  test(`killed ${kills} times while it deletes a large group, Gatehouse leaves none of its memberships`, {
    timeout: 60_000 + kills * 15_000,
  }, async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId, key } = await makeSite(databaseUrl);
    const database = openDatabase(databaseUrl, { poolSize: 2 });
    stopInTheEnd(() => database.close());
    const settings = { GATEHOUSE_PURGE_INTERVAL_SECONDS: 1 };
    let gatehouse = await startProcess(databaseUrl, settings);
    const request = requestsWith(key, () => gatehouse.address);
    const newGroup = async (name: string): Promise<string> =>
      (await request('POST', '/access-groups', { name }))!.body.data.id;
    const [remaining, large] = [await newGroup('Everybody'), await newGroup('Large')];
    for (let first = 0; first < kills * membersPerKill; first += membersAtOnce) {
      const members = Array.from({ length: membersAtOnce }, (_, index) => ({
        email: `m${first + index}@example.com`,
      }));
      const created = await request('POST', '/members/bulk', { members, accessGroupIds: [remaining, large] });
      expect(created?.status).toBe(207);
    }
    const left = async (): Promise<number> => {
      const row = await database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM memberships WHERE site_id = ${siteId} AND group_id = ${large}`,
      );
      return row!.count;
    };

    expect((await request('DELETE', `/access-groups/${large}`))?.status).toBe(204);
    for (let kill = 0; kill < kills; kill += 1) {
      const before = await left();
      while ((await left()) === before && before > 0) await sleep(2);
      await gatehouse.kill();
      await expectExactCounter(database, siteId, remaining);
      gatehouse = await startProcess(databaseUrl, settings);
      expect((await request('GET', `/access-groups/${large}`))?.status).toBe(404);
      expect((await request('GET', '/access-groups'))?.body.data).toHaveLength(1);
    }
    await expect.poll(left, { timeout: 60_000, interval: 100 }).toBe(0);
    await expectExactCounter(database, siteId, remaining);
  });
});
