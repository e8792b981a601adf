import { randomUUID } from 'node:crypto';
import type { ListedPerson, Source } from '@gatehouse/contract';
import sql, { raw } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { immediateTimers } from '../../../../test/movable-time.ts';
import { purgeExpired } from '../../../../test/purge.ts';
import { endedRun } from '../../../../test/source-steps.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { Purging } from '../../../jobs/purging.ts';

const people = (count: number): ListedPerson[] =>
  Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));
const clock = () => new Date();

forEachStore((store) => {
  const server = useTestServer(store);

  async function aSource(site: TestSite, settings: object = {}): Promise<Source> {
    const body = { type: 'program', name: 'Office', ...settings };
    return expectResponse('createSource', await site.post('/sources', body), 201).data;
  }

  const send = (site: TestSite, { id }: Source, body: object) =>
    site.request('PUT', `/sources/${id}/collections/team/people`, { body: { people: [], ...body } });

  async function upload(site: TestSite, source: Source, listed: readonly ListedPerson[]) {
    const answer = await send(site, source, { list: randomUUID(), people: listed, complete: true });
    return endedRun(site, expectResponse('uploadCollectionPeople', answer, 200).data.run!);
  }

  /** How many rows there are of a site, of these tables. */
  const countRows = (site: TestSite, tables: readonly string[]) =>
    Promise.all(
      tables.map(async (table) => {
        const rows = await server.database.all(
          sql`SELECT source_id FROM ${raw(table)} WHERE site_id = ${site.siteId}`,
        );
        return rows.length;
      }),
    );
  const tables = ['source_people', 'source_list_parts', 'source_members', 'source_blocks'];

  /** A step of a process that ends after it. */
  const purgeOnce = () => {
    const options = { timers: immediateTimers, eventRetentionDays: 90, intervalSeconds: 3_600 };
    return new Purging({ database: server.database, clock, ...options }).start('deleted sources');
  };

  test('a deleted source is gone at once, and its rows a few at a time, also after a crash', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { onLeave: 'block', maxRemovedPercent: 100 });
    await upload(site, source, [...people(60), { email: 'left@example.com' }]);
    await upload(site, source, people(60));
    for (let part = 0; part < 24; part += 1) {
      expectResponse('uploadCollectionPeople', await send(site, source, { list: 'begun', part }), 200);
    }
    const more = people(2_500).map(({ email }) => [site.siteId, source.id, 'many', email, '[""]']);
    await server.database.transaction((tx) =>
      tx.insert('source_people', ['site_id', 'source_id', 'collection', 'email', 'group_values'], more),
    );
    expect(await countRows(site, tables)).toEqual([2_560, 24, 61, 1]);
    expectResponse('deleteSource', await site.delete(`/sources/${source.id}`), 204);
    expectResponse('getSource', await site.get(`/sources/${source.id}`), 404, 'source_not_found');
    expect((await site.get('/sources')).body.data).toEqual([]);

    const left: number[][] = [];
    for (let step = 0; step < 9; step += 1) {
      left.push(await countRows(site, tables));
      await purgeOnce();
    }
    expect(left).toEqual([
      [2_560, 24, 61, 1],
      [2_560, 14, 61, 1],
      [2_560, 4, 61, 1],
      [2_560, 0, 61, 1],
      [1_560, 0, 61, 1],
      [560, 0, 61, 1],
      [0, 0, 61, 1],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ]);
    const ofSite = sql`SELECT id FROM deleted_sources WHERE site_id = ${site.siteId}`;
    expect(await server.database.all(ofSite)).toEqual([]);
  });

  test('another source has nothing of a deleted one, whose rows are still there', async () => {
    const site = await server.createSite();
    const deleted = await aSource(site, { onLeave: 'block', maxRemovedPercent: 100 });
    await upload(site, deleted, [...people(3), { email: 'ada@example.com' }]);
    await send(site, deleted, { list: 'begun' });
    expectResponse('deleteSource', await site.delete(`/sources/${deleted.id}?groups=delete`), 204);
    const next = await aSource(site, { onLeave: 'block', maxRemovedPercent: 100 });
    const both = [{ email: 'ada@example.com' }, { email: 'new@example.com' }];
    expect((await upload(site, next, both)).counts).toMatchObject({
      read: 2,
      created: 1,
      added: 2,
      removed: 0,
    });
    const last = { list: 'begun', part: 1, complete: true };
    expectResponse('uploadCollectionPeople', await send(site, next, last), 409, 'list_incomplete');
    // The members whom the deleted source created are not blocked, as if it had never been.
    expect((await upload(site, next, [])).counts).toMatchObject({ removed: 2, blocked: 1 });
    const blocked = (await site.get('/members?status=blocked')).body.data;
    expect(blocked).toMatchObject([{ email: 'new@example.com' }]);
    await purgeExpired(server.database, clock);
    expect(await countRows(site, tables)).toEqual([0, 0, 1, 1]);
  });

  test('a member deleted after the source is erased from the rows that are left', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    await upload(site, source, people(3));
    expectResponse('deleteSource', await site.delete(`/sources/${source.id}`), 204);
    const [member] = (await site.get('/members?q=p1@')).body.data;
    expectResponse('deleteMember', await site.delete(`/members/${member.id}`), 204);
    const left = await server.database.all<{ email: string }>(
      sql`SELECT email FROM source_people WHERE site_id = ${site.siteId} ORDER BY email`,
    );
    expect(left).toMatchObject([{ email: 'p0@example.com' }, { email: 'p2@example.com' }]);
    expect(await countRows(site, ['source_members'])).toEqual([2]);
  });

  test('the lists of a deleted source make room at once', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    await server.database.transaction((tx) =>
      tx.insert(
        'source_list_parts',
        ['site_id', 'source_id', 'collection', 'list', 'part', 'people', 'created_at'],
        Array.from({ length: 2_000 }, (_, part) => [
          site.siteId,
          source.id,
          'team',
          'begun',
          part,
          '[]',
          new Date().toISOString(),
        ]),
      ),
    );
    expectResponse('uploadCollectionPeople', await send(site, source, { list: 'more' }), 429, 'rate_limited');
    expectResponse('deleteSource', await site.delete(`/sources/${source.id}`), 204);
    const next = await aSource(site);
    expectResponse('uploadCollectionPeople', await send(site, next, { list: 'more' }), 200);
  });
});
