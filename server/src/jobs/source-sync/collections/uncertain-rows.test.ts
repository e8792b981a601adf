import { describe, expect, test } from 'vitest';
import { scopeGroups } from '../../../../test/source-steps.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { crowd, named, type People, syncEngine, workspaceOf } from '../../../../test/sync-engine.ts';
import { useTestServer } from '../../../../test/use-server.ts';

const person = (name: string, values: object = {}): People[number] => ({
  email: `${name}@example.com`,
  displayName: name,
  paid: true,
  groups: ['Rowing'],
  ...values,
});

forEachStore((store) => {
  const server = useTestServer(store);
  const setUp = async () => {
    const site = await server.createSite();
    return { site, ...syncEngine(server, site) };
  };

  describe('a cell whose value is not known', () => {
    test.each([
      ['the name', { displayName: '#REF!' }],
      ['one of the groups', { groups: ['Sailing', '#N/A'] }],
      ['the groups', { groups: ['Loading...'] }],
      [
        'another column',
        {
          paid: false,
          groups: [],
          displayName: null,
          unclear: { reason: 'unknown_value', value: '#VALUE!' },
        },
      ],
    ])('changes nothing for the person: %s', async (_, values) => {
      const s = await setUp();
      const id = await s.source({ graceDays: 0, onLeave: 'block' });
      const others = crowd(5, { groups: ['Sailing'] });
      await s.sync(id, workspaceOf({ team: [person('ada'), ...others] }, false));
      const before = await s.memberOf('ada@example.com');
      const run = await s.sync(id, workspaceOf({ team: [person('ada', values), ...others] }, false));
      expect(run).toMatchObject({
        status: 'succeeded',
        collections: [
          {
            changed: 0,
            removed: 0,
            unreadable: 0,
            skippedPeople: [{ reason: 'unknown_value', place: 'row 1' }],
          },
        ],
        groupsToDelete: [],
      });
      expect(await s.memberOf('ada@example.com')).toEqual(before);
      expect(Object.keys(await scopeGroups(s.site)).sort()).toEqual(['Rowing', 'Sailing']);
      expect((await scopeGroups(s.site)).Rowing).toEqual(['ada']);
    });

    test('makes nobody a member', async () => {
      const s = await setUp();
      const id = await s.source();
      const run = await s.sync(
        id,
        workspaceOf({ team: [...named('bob'), person('ada', { displayName: '#REF!' })] }),
      );
      expect(run.collections).toMatchObject([{ read: 1, created: 1, skipped: 1 }]);
      expect(await s.memberOf('ada@example.com')).toBeUndefined();
    });

    test('of somebody who moves to another collection: nobody leaves, and nobody is blocked', async () => {
      const s = await setUp();
      const id = await s.source({ onLeave: 'block' }, ['a', 'b']);
      await s.sync(id, workspaceOf({ a: named('ada', 'bob', 'cleo'), b: named('dora') }));
      const moving = { b: [...named('dora'), { ...named('ada')[0]!, displayName: 'Loading...' }] };
      await s.sync(id, workspaceOf({ a: named('bob', 'cleo'), ...moving }));
      expect((await s.memberOf('ada@example.com')).status).toBe('active');
      expect((await scopeGroups(s.site)).a).toEqual(['ada', 'bob', 'cleo']);
      await s.sync(id, workspaceOf({ a: named('bob', 'cleo'), b: named('dora') }));
      expect((await s.memberOf('ada@example.com')).status).toBe('blocked');
    });

    test('a group that such a cell may name is not deleted', async () => {
      const s = await setUp();
      const id = await s.source({ graceDays: 1 });
      const others = crowd(5, { groups: ['Sailing'] });
      await s.sync(id, workspaceOf({ team: [person('ada'), ...others] }, false));
      await s.sync(id, workspaceOf({ team: others }, false));
      s.advance(2 * 24 * 3_600_000);
      await s.sync(id, workspaceOf({ team: [...others, person('bob', { groups: ['#REF!'] })] }, false));
      expect(Object.keys(await scopeGroups(s.site)).sort()).toEqual(['Rowing', 'Sailing']);
      await s.sync(id, workspaceOf({ team: others }, false));
      expect(Object.keys(await scopeGroups(s.site))).toEqual(['Sailing']);
    });
  });

  describe('while an address cannot be read', () => {
    test.each(['#REF!', 'ada(at)example.com', 'ada@example.com, a@example.org'])(
      'people are added, and nobody leaves, is unpaid or blocked: %s',
      async (email) => {
        const s = await setUp();
        const id = await s.source({ onLeave: 'block', maxRemovedPercent: 100 });
        const all = ['ada', 'bob', 'cleo', 'dora'].map((name) => person(name));
        await s.sync(id, workspaceOf({ team: all }, false));
        const unreadable = [
          { ...all[0]!, email },
          person('bob', { paid: false, groups: ['Sailing'] }),
          person('eve'),
          person('dora'),
        ];
        const run = await s.sync(id, workspaceOf({ team: unreadable }, false), { removalsConfirmed: true });
        expect(run).toMatchObject({
          status: 'confirmation_required',
          collections: [{ unreadable: 1, withheld: 3, added: 2, removed: 0, blocked: 0 }],
        });
        expect(await scopeGroups(s.site)).toEqual({
          Rowing: ['ada', 'bob', 'cleo', 'dora', 'eve'],
          Sailing: ['bob'],
        });
        expect((await s.memberOf('bob@example.com')).paid).toBe(true);
        expect((await s.memberOf('ada@example.com')).status).toBe('active');
      },
    );

    test('somebody who has seen who would leave can confirm it', async () => {
      const s = await setUp();
      const id = await s.source({ onLeave: 'block' });
      await s.sync(id, workspaceOf({ team: crowd(5) }));
      const fewer = [...crowd(4), { email: 'none' }];
      const shown = await s.sync(id, workspaceOf({ team: fewer }), { dryRun: true });
      expect(shown.collections).toMatchObject([{ withheld: 1, sample: { removed: ['p4@example.com'] } }]);
      const confirmed = { removalsConfirmed: true, confirmedRunId: shown.id };
      const other = await s.sync(id, workspaceOf({ team: fewer.slice(1) }), confirmed);
      expect(other.status).toBe('confirmation_required');
      const run = await s.sync(id, workspaceOf({ team: fewer }), confirmed);
      expect(run).toMatchObject({
        status: 'succeeded',
        collections: [{ removed: 1, blocked: 1, unreadable: 1 }],
      });
    });

    test('nobody is blocked who leaves another collection', async () => {
      const s = await setUp();
      const id = await s.source({ onLeave: 'block' }, ['a', 'b']);
      await s.sync(id, workspaceOf({ a: crowd(5), b: named('dora') }));
      await s.sync(id, workspaceOf({ a: crowd(4), b: [...named('dora'), { email: '#REF!' }] }));
      expect((await s.memberOf('p4@example.com')).status).toBe('active');
      await s.sync(id, workspaceOf({ a: crowd(4), b: named('dora') }));
      expect((await s.memberOf('p4@example.com')).status).toBe('blocked');
    });
  });

  test('people without an address hold nobody back, unless somebody with that name would leave', async () => {
    const s = await setUp();
    const id = await s.source({ onLeave: 'block' });
    const all = crowd(5).map((each, index) => ({ ...each, displayName: `Person ${index}` }));
    const child = { email: '', displayName: 'A child' };
    await s.sync(id, workspaceOf({ team: [...all, child] }));
    const deleted = { email: ' ', displayName: 'Person 4' };
    const run = await s.sync(id, workspaceOf({ team: [...all.slice(0, 4), child, deleted] }));
    expect(run).toMatchObject({
      status: 'confirmation_required',
      collections: [{ withheld: 1, skipped: 2 }],
    });
    expect((await s.memberOf('p4@example.com')).status).toBe('active');
    const left = await s.sync(id, workspaceOf({ team: [...all.slice(0, 4), child] }));
    expect(left).toMatchObject({ status: 'succeeded', collections: [{ removed: 1, blocked: 1 }] });
  });

  test.each([
    [12, 5, 'confirmation_required'],
    [12, 6, 'succeeded'],
    [3, 1, 'succeeded'],
    [5, 2, 'confirmation_required'],
    [2, 0, 'confirmation_required'],
  ])('of %i people %i are left: %s', async (before, after, state) => {
    const s = await setUp();
    const leaving = await s.source();
    await s.sync(leaving, workspaceOf({ team: crowd(before) }));
    expect((await s.sync(leaving, workspaceOf({ team: crowd(after) }))).status).toBe(state);
    const paying = await s.source();
    const people = (count: number) =>
      crowd(before, {}, 'q').map((each, index) => ({ ...each, paid: index < count }));
    await s.sync(paying, workspaceOf({ team: people(before) }));
    expect((await s.sync(paying, workspaceOf({ team: people(after) }))).status).toBe(state);
  });
});
