import { expect, test } from 'vitest';
import { forEachStore } from '../../../../test/stores.ts';
import { crowd, named, type People, syncEngine, workspaceOf } from '../../../../test/sync-engine.ts';
import { useTestServer } from '../../../../test/use-server.ts';
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
