import { expect, test } from 'vitest';
import { forEachStore } from '../../../../test/stores.ts';
import { crowd, named, syncEngine, workspaceOf } from '../../../../test/sync-engine.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { removeCollections } from '../collections/collection-store.ts';
import { findStoredSource, updateSource } from '../source/sources.ts';
import {
  CollectionGone,
  CollectionUnreadable,
  type Workspace,
  WorkspaceUnavailable,
} from '../workspaces/workspace.ts';
import { requestRunAfterChange } from './next-run.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const setUp = async () => {
    const site = await server.createSite();
    return { site, ...syncEngine(server, site) };
  };

  test('a scheduled run that is continued after the source was turned off changes nothing', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.asRead(id);
    await s.request(id, { trigger: 'schedule' });
    expect(await s.claim()).toBeDefined(); // the process crashes here
    await s.change(async (change) =>
      updateSource(change, undefined as never, id, { enabled: false }, () => {}),
    );
    s.advance(70_000);
    const claimed = (await s.claim())!;
    await s.carryOut(claimed, workspaceOf({ team: named('ada') }));
    expect(await s.memberOf('ada@example.com')).toBeUndefined();
    expect((await s.runsOf(id))[0]!.error?.code).toBe('stopped');
  });

  test('a collection that is changed while it is missing stops, and the others are synchronized', async () => {
    const s = await setUp();
    const id = await s.source({ graceDays: 0 }, ['a', 'b']);
    await s.sync(id, workspaceOf({ a: named('ada'), b: named('bob') }));
    const gone = async (): Promise<never> => {
      await s.change((change) =>
        removeCollections({ db: change.db, siteId: s.siteId, now: change.now }, id, ['a']),
      );
      throw new CollectionGone();
    };
    const { id: runId } = await s.request(id);
    const error = await s
      .carryOut((await s.claim())!, workspaceOf({ a: gone, b: named('bob', 'cleo') }))
      .catch((failure) => failure);
    const run = (await s.runsOf(id)).find((each) => each.id === runId)!;
    expect(error).toBeUndefined();
    expect(run.error).toBeNull();
    expect(await s.memberOf('cleo@example.com')).toBeDefined();
  });

  test('reports of changes do not read a workspace that wants to be left alone', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.asRead(id);
    await s.request(id, { trigger: 'schedule' });
    let reads = 0;
    const busy = async (): Promise<never> => {
      reads += 1;
      // Someone edits a page meanwhile.
      await s.change(async (change) =>
        requestRunAfterChange(change, await findStoredSource({ db: change.db, siteId: s.siteId }, id)),
      );
      throw new WorkspaceUnavailable('unavailable', 'Too many requests.', 3_600);
    };
    for (let minute = 0; minute < 10; minute += 1) {
      const claimed = await s.claim();
      if (claimed) await s.carryOut(claimed, workspaceOf({ team: busy }));
      s.advance(6_000);
    }
    expect(reads).toBe(1);
  });

  test('a person who is deleted during a run is a member again after the next one', async () => {
    const s = await setUp();
    const id = await s.source({}, ['a', 'b']);
    const people = async () => {
      const ada = await s.memberOf('ada@example.com');
      if (ada) expect((await s.site.delete(`/members/${ada.id}`)).status).toBe(204);
      return named('cleo');
    };
    const workspace = workspaceOf({ a: named('ada', 'bob'), b: people });
    const versioned: Workspace = {
      ...workspace,
      read: async (collection, token, signal) => {
        if (token === 'version 1') return undefined;
        return { ...(await workspace.read(collection, token, signal))!, token: 'version 1' };
      },
    };
    await s.sync(id, versioned);
    expect(await s.memberOf('ada@example.com')).toBeUndefined();
    expect(await s.memberOf('bob@example.com')).toBeDefined();
    await s.sync(id, versioned);
    expect(await s.memberOf('ada@example.com')).toBeDefined();
  });

  test('a collection that cannot be read does not delay the others', async () => {
    const s = await setUp();
    const id = await s.source({}, ['bad', 'good']);
    await s.asRead(id);
    await s.request(id, { trigger: 'schedule' });
    const bad = () => {
      throw new CollectionUnreadable('columns_missing', 'gone');
    };
    for (let round = 0; round < 12; round += 1) {
      const claimed = await s.claim();
      await s.carryOut(claimed!, workspaceOf({ bad, good: named('ada') }));
      const next = (await s.runsOf(id)).find(({ status }) => status === 'waiting')!;
      s.advance(Date.parse(next.dueAt!) - s.clock().getTime() + 1);
    }
    await s.carryOut((await s.claim())!, workspaceOf({ bad, good: named('ada') }));
    const next = (await s.runsOf(id)).find(({ status }) => status === 'waiting')!;
    const minutes = (Date.parse(next.dueAt!) - s.clock().getTime()) / 60_000;
    expect(minutes).toBeLessThan(20);
    // A page of the good collection is removed, and Notion reports it.
    await s.change(async (change) =>
      requestRunAfterChange(change, await findStoredSource({ db: change.db, siteId: s.siteId }, id)),
    );
    s.advance(60_000);
    expect(await s.claim()).toBeDefined();
  });

  test('changes by a run of which a collection fails again are an event, and the failure is not', async () => {
    const s = await setUp();
    const id = await s.source({}, ['bad', 'good']);
    await s.asRead(id);
    await s.request(id, { trigger: 'schedule' });
    const bad = () => {
      throw new CollectionUnreadable('columns_missing', 'gone');
    };
    const events = async () =>
      (await s.site.get('/events?limit=100')).body.data
        .filter(({ type }: { type: string }) => ['source.synced', 'source.failed'].includes(type))
        .map(({ type, data }: { type: string; data: { counts?: object } }) => ({ type, ...data.counts }));
    const failed = { type: 'source.failed' };
    const added = (count: number) => ({ type: 'source.synced', added: count });
    const expected: object[] = [];
    for (const [people, ...recorded] of [
      [['ada'], added(1), failed],
      [['ada']],
      [['ada', 'bob', 'cleo'], added(2)],
    ] as const) {
      await s.carryOut((await s.claim())!, workspaceOf({ bad, good: named(...people) }));
      expected.push(...recorded);
      expect(await events()).toMatchObject(expected);
      s.advance(24 * 3_600_000);
    }
  });

  test('a column with other values can be chosen', async () => {
    const s = await setUp();
    const id = await s.source({ graceDays: 0 });
    const grouped = (prefix: string, count: number) =>
      crowd(count).map((each, i) => ({ ...each, groups: [`${prefix}${i}`] }));
    await s.sync(id, workspaceOf({ team: grouped('a', 300) }, false));
    const run = await s.sync(id, workspaceOf({ team: grouped('b', 300) }, false), {
      removalsConfirmed: true,
    });
    expect(run.collections[0]!.error).toBeNull();
  });

  test('a run that ends its process again and again fails', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.request(id);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await s.claim()).toBeDefined();
      s.advance(61_000);
    }
    const last = s.carryOut((await s.claim())!, workspaceOf({ team: named('ada') }));
    await expect(last).rejects.toThrow('begun 5 times');
    expect((await s.runsOf(id)).at(-1)).toMatchObject({ status: 'failed', error: { code: 'internal' } });
    expect(await s.claim()).toBeUndefined();
  });
});
