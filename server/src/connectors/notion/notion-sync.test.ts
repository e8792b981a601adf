import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { effort, isFullEffort } from '../../../test/effort.ts';
import type { NotionDataSource } from '../../../test/notion-model.ts';
import { columnKeys, startNotionReader } from '../../../test/notion-reader.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { systemContext } from '../../base/change-context.ts';
import { systemTimers } from '../../base/timers.ts';
import { upsertCollection } from '../../domain/sources/collections/collection-store.ts';
import { claimRunOfSource } from '../../domain/sources/runs/run-lease.ts';
import { findRun, requestRun } from '../../domain/sources/runs/runs.ts';
import { createSource, findStoredSource } from '../../domain/sources/source/sources.ts';
import { runSync } from '../../jobs/source-sync/run-sync.ts';

const databases = 20;
const rows = effort.notionRows;

// What depends on Notion: other tests of sources make the same changes on each store.
(isFullEffort ? forEachStore : forOneStore)((store) => {
  const server = useTestServer(store);

  /** A source with every data source. It is of the kind `program`, so that the service does not run it too. */
  async function aSource({ siteId }: TestSite, dataSources: readonly NotionDataSource[]): Promise<string> {
    return changing(server.database, siteId, async (change) => {
      const { id } = await createSource(change, { type: 'program', name: 'Notion' });
      for (const each of dataSources) {
        const columns = columnKeys(each, { displayName: 'Name' });
        await upsertCollection({ db: change.db, siteId }, id, { key: each.id, name: each.title, columns });
      }
      return id;
    });
  }

  async function membersOf(site: TestSite): Promise<Map<string, number>> {
    const { data } = (await site.get('/access-groups?type=scope&limit=100')).body;
    return new Map(
      data.map(({ name, memberCount }: { name: string; memberCount: number }) => [name, memberCount]),
    );
  }

  test('all rows of 20 databases are synchronized while Notion limits, cuts and fails', async () => {
    const site = await server.createSite();
    const reader = await startNotionReader();
    const { notion, clock, advance } = reader;
    const start = clock().getTime();
    const dataSources = Array.from({ length: databases }, (_, number) => {
      const dataSource = notion.database(`Team ${number}`, { Name: 'title', Email: 'email' });
      for (let row = 0; row < rows; row += 1) {
        const values = { Name: `Person ${row}`, Email: `p${number}-${row}@example.com` };
        dataSource.addRow(values, new Date(start - (rows - row) * 60_000));
      }
      return dataSource;
    });
    notion.maxQueryRows = Math.ceil(rows / 2.1);
    let received = 0;
    notion.onRequest = () => {
      received += 1;
      if (received % 13 === 0) return { status: 429, code: 'rate_limited', retryAfterSeconds: 2 };
      return received % 29 === 0 ? { status: 529, code: 'service_overload' } : undefined;
    };
    const sourceId = await aSource(site, dataSources);
    const { siteId } = site;
    const { database } = server;
    const sync = async () => {
      advance(15 * 60_000);
      const source = await findStoredSource({ db: database, siteId }, sourceId);
      const context = systemContext(clock().toISOString());
      const { id } = await changing(
        database,
        siteId,
        (change) => requestRun(change, source, { trigger: 'request' }, change.now),
        context,
      );
      const holder = randomUUID();
      const claimed = await database.transaction((tx) =>
        claimRunOfSource({ db: tx, siteId }, sourceId, { holder, now: context.at }),
      );
      const time = { clock, timers: systemTimers };
      const parts = { database, ...time, open: async () => reader.open(), random: () => 0.5 };
      await runSync(parts, { siteId, run: claimed!, holder }, new AbortController().signal);
      return findRun({ db: database, siteId }, sourceId, id);
    };

    const first = await sync();
    expect(first).toMatchObject({
      status: 'succeeded',
      counts: { read: databases * rows, created: databases * rows, skipped: 0 },
    });
    const complete = new Map(dataSources.map(({ title }) => [title, rows]));
    expect(await membersOf(site)).toEqual(complete);

    expect((await sync()).counts).toMatchObject({ read: databases * rows, added: 0, changed: 0, removed: 0 });

    const [team] = dataSources;
    for (const row of team!.rows.slice(0, 9)) row.inTrash = true;
    team!.rows[20]!.edit({ Name: 'Somebody else' });
    team!.addRow({ Name: 'New', Email: 'new@example.com' });
    expect((await sync()).counts).toMatchObject({ added: 1, created: 1, changed: 1, removed: 9 });
    expect(await membersOf(site)).toEqual(complete.set('Team 0', rows - 8));

    // Rows that were created in the same minute cannot be told apart, so that a cut answer is not complete.
    notion.maxQueryRows = 2;
    for (let row = 0; row < 3; row += 1) {
      team!.addRow({ Name: 'Same', Email: `same${row}@example.com` }, new Date(start));
    }
    const cut = await sync();
    expect(cut.status).toBe('failed');
    expect(cut.collections.find(({ name }) => name === 'Team 0')!.error!.code).toBe('incomplete');
    expect(await membersOf(site)).toEqual(complete);
  });
});
