import { expect, test } from 'vitest';
import { scopeGroups } from '../../../../test/source-steps.ts';
import { forEachStore } from '../../../../test/stores.ts';
import {
  type CollectionContent,
  crowd,
  named,
  type People,
  syncEngine,
  workspaceOf,
} from '../../../../test/sync-engine.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { removeCollections } from '../../../domain/sources/collections/collection-store.ts';
import { findCollections } from '../../../domain/sources/collections/collections.ts';
import { CollectionUnreadable } from '../../../domain/sources/workspaces/workspace.ts';
import type { Database } from '../../../storage/database.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const setUp = async () => {
    const site = await server.createSite();
    return { site, ...syncEngine(server, site) };
  };

  test('somebody who left, returned and leaves again is blocked again', async () => {
    const s = await setUp();
    const id = await s.source({ onLeave: 'block' });
    const status = async () => (await s.memberOf('ada@example.com')).status;
    await s.sync(id, workspaceOf({ team: named('ada', 'bob') }));
    await s.sync(id, workspaceOf({ team: named('bob') }));
    expect(await status()).toBe('blocked');
    await s.sync(id, workspaceOf({ team: named('ada', 'bob') }));
    expect(await status()).toBe('active');
    await s.sync(id, workspaceOf({ team: named('bob') }));
    expect(await status()).toBe('blocked');
  });

  test('somebody who moves from one collection to another is never blocked', async () => {
    const s = await setUp();
    const id = await s.source({ onLeave: 'block' }, ['a', 'b']);
    await s.sync(id, workspaceOf({ a: named('ada', 'bob'), b: named('cleo') }));
    const run = await s.sync(id, workspaceOf({ a: named('bob'), b: named('cleo', 'ada') }));
    expect(run.collections.map(({ blocked }) => blocked)).toEqual([0, 0]);
    const { data } = (await s.site.get('/events?limit=100')).body;
    expect
      .soft(
        data.map((event: { type: string }) => event.type).filter((type: string) => type.includes('block')),
      )
      .toEqual([]);
  });

  test('somebody who moves to a collection that cannot be read is not blocked', async () => {
    const s = await setUp();
    const id = await s.source({ onLeave: 'block' }, ['a', 'b']);
    await s.sync(id, workspaceOf({ a: named('ada', 'bob'), b: named('cleo') }));
    const b = () => {
      throw new CollectionUnreadable('incomplete', 'cut');
    };
    await s.sync(id, workspaceOf({ a: named('bob'), b }));
    expect((await s.memberOf('ada@example.com')).status).toBe('active');
  });

  test('somebody who moved to another collection and leaves the source is blocked', async () => {
    const s = await setUp();
    const id = await s.source({ onLeave: 'block' }, ['a', 'b']);
    await s.sync(id, workspaceOf({ a: named('ada', 'bob'), b: named('cleo') }));
    await s.sync(id, workspaceOf({ a: named('bob'), b: named('cleo', 'ada') }));
    await s.sync(id, workspaceOf({ a: named('bob'), b: named('cleo') }));
    expect((await s.memberOf('ada@example.com')).status).toBe('blocked');
  });

  test('a member whom one source has created, and who leaves another one last, is blocked', async () => {
    const s = await setUp();
    const one = await s.source({ onLeave: 'block' });
    const two = await s.source({ onLeave: 'block' });
    await s.sync(one, workspaceOf({ team: named('ada', 'bob') }));
    await s.sync(two, workspaceOf({ team: named('ada', 'cleo') }));
    await s.sync(one, workspaceOf({ team: named('bob') }));
    expect((await s.memberOf('ada@example.com')).status).toBe('active');
    await s.sync(two, workspaceOf({ team: named('cleo') }));
    expect((await s.memberOf('ada@example.com')).status).toBe('blocked');
  });

  test('a member who is deleted during a run that withholds is not created again', async () => {
    const s = await setUp();
    const id = await s.source();
    await s.sync(id, workspaceOf({ team: crowd(20) }));
    const p1 = await s.memberOf('p1@example.com');
    await s.request(id);
    let transactions = 0;
    // The first transaction of the run comes after the first comparison.
    const during: Database = {
      ...s.database,
      transaction: async (work) => {
        if (++transactions === 1) await s.site.request('DELETE', `/members/${p1.id}`);
        return s.database.transaction(work);
      },
    };
    await s.carryOut((await s.claim())!, workspaceOf({ team: [] }), { store: during });
    expect(transactions).toBeGreaterThan(0);
    expect(await s.memberOf('p1@example.com')).toBeUndefined();
  });

  test('somebody who moves to a collection that cannot be read stays in a group that both have', async () => {
    const s = await setUp();
    const id = await s.source({}, ['a', 'b']);
    const rowing = (...names: string[]): People =>
      names.map((name) => ({ email: `${name}@example.com`, groups: ['Rowing'] }));
    await s.sync(id, workspaceOf({ a: rowing('ada', 'bob'), b: rowing('cleo') }, false));
    const b = () => {
      throw new CollectionUnreadable('incomplete', 'cut');
    };
    await s.sync(id, workspaceOf({ a: rowing('bob'), b }, false));
    const [group] = (await s.site.get('/access-groups?type=scope')).body.data;
    const { data } = (await s.site.get(`/access-groups/${group.id}/members`)).body;
    expect(data.map(({ email }: { email: string }) => email).sort()).toEqual([
      'ada@example.com',
      'bob@example.com',
      'cleo@example.com',
    ]);
  });

  test.each([
    ['a collection that is no longer chosen', 'a grace period that is over', 'cannot be read'],
    ['a collection that is no longer chosen', 'a confirmation', 'cannot be read'],
    ['a collection that is missing', 'a grace period that is over', 'cannot be read'],
    ['a collection that is missing', 'a confirmation', 'cannot be read'],
    ['a collection that is no longer chosen', 'a confirmation', 'has an unreadable address'],
    ['a collection that is missing', 'a grace period that is over', 'has an unreadable address'],
    ['a collection that is no longer chosen', 'a confirmation', 'has an unknown value for the person'],
    ['a collection that is missing', 'a grace period that is over', 'has an unknown value for the person'],
  ])('somebody who moves from %s, with %s, to one that %s stays in the groups', async (from, by, problem) => {
    const s = await setUp();
    const isChosen = from === 'a collection that is missing';
    const isConfirmed = by === 'a confirmation';
    const id = await s.source({ graceDays: isConfirmed ? 30 : 0, onLeave: 'block' }, ['a', 'b']);
    const rowing = (...names: string[]): People =>
      names.map((name) => ({ email: `${name}@example.com`, groups: ['Rowing'] }));
    await s.sync(id, workspaceOf({ a: rowing('ada', 'bob'), b: rowing('cleo') }, false));
    if (!isChosen) {
      await s.change(({ db, now }) => removeCollections({ db, siteId: s.siteId, now }, id, ['a']));
    }
    const contents: Record<string, CollectionContent> = {
      'cannot be read': () => {
        throw new CollectionUnreadable('incomplete', 'cut');
      },
      'has an unreadable address': [...rowing('cleo', 'bob'), { email: '#REF!' }],
      'has an unknown value for the person': [
        ...rowing('cleo', 'bob'),
        { email: 'ada@example.com', groups: ['#REF!'] },
      ],
    };
    const run = isConfirmed ? { removalsConfirmed: true } : {};
    await s.sync(id, workspaceOf({ b: contents[problem]! }, false), run);
    expect(await scopeGroups(s.site)).toEqual({ Rowing: ['ada', 'bob', 'cleo'] });
    expect((await s.memberOf('ada@example.com')).status).toBe('active');
    await s.sync(id, workspaceOf({ b: rowing('cleo', 'bob') }, false), run);
    expect(await scopeGroups(s.site)).toEqual({ Rowing: ['bob', 'cleo'] });
    expect((await s.memberOf('ada@example.com')).status).toBe('blocked');
    const keys = (await findCollections({ db: s.database, siteId: s.siteId }, id)).map(({ key }) => key);
    expect(keys).toEqual(isChosen ? ['a', 'b'] : ['b']);
  });

  test('the group of a removed collection stays while a row in another one may be of somebody in it', async () => {
    const s = await setUp();
    const id = await s.source({ graceDays: 0, onLeave: 'block' }, ['a', 'b']);
    await s.sync(id, workspaceOf({ a: named('ada', 'bob'), b: named('cleo') }));
    await s.change(({ db, now }) => removeCollections({ db, siteId: s.siteId, now }, id, ['a']));
    const unknown = { email: 'ada@example.com', displayName: '#REF!' };
    const run = await s.sync(id, workspaceOf({ b: [...named('cleo'), unknown] }));
    expect(run.groupsToDelete).toMatchObject([{ name: 'a' }]);
    expect(await scopeGroups(s.site)).toEqual({ a: ['ada'], b: ['cleo'] });
    await s.sync(id, workspaceOf({ b: named('cleo', 'ada') }));
    expect(await scopeGroups(s.site)).toEqual({ b: ['ada', 'cleo'] });
  });

  test('a leaver whose source was deleted is unblocked when another source lists them', async () => {
    const s = await setUp();
    const one = await s.source({ onLeave: 'block' });
    await s.sync(one, workspaceOf({ team: named('ada', 'bob') }));
    await s.sync(one, workspaceOf({ team: named('bob') }));
    expect((await s.memberOf('ada@example.com')).status).toBe('blocked');
    await s.site.delete(`/sources/${one}`);
    const two = await s.source();
    await s.sync(two, workspaceOf({ team: named('ada', 'bob') }));
    expect((await s.memberOf('ada@example.com')).status).toBe('active');
  });

  test('members who are deleted at the same time are all erased from a run', async () => {
    const s = await setUp();
    const id = await s.source();
    for (const { email } of crowd(18)) await s.site.post('/members', { email });
    await s.sync(id, workspaceOf({ team: crowd(18) }), { dryRun: true });
    const { data } = (await s.site.get('/members?limit=100')).body;
    await Promise.all(data.map((member: { id: string }) => s.site.delete(`/members/${member.id}`)));
    expect((await s.runsOf(id))[0]!.collections[0]!.sample.added).toEqual([]);
  });
});
