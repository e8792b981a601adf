import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { effort } from '../../../test/effort.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestServer, TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { systemContext } from '../../base/change-context.ts';
import { systemTimers } from '../../base/timers.ts';
import { createAccessGroup } from '../../domain/access-groups/access-groups.ts';
import { removeCollections, upsertCollection } from '../../domain/sources/collections/collection-store.ts';
import { claimRun } from '../../domain/sources/runs/run-lease.ts';
import { requestRun } from '../../domain/sources/runs/runs.ts';
import { createSource, findStoredSource } from '../../domain/sources/source/sources.ts';
import {
  CollectionGone,
  CollectionUnreadable,
  type Workspace,
  WorkspaceUnavailable,
} from '../../domain/sources/workspaces/workspace.ts';
import { runSync } from './run-sync.ts';

/** A person of the external workspace, by number. */
interface UpstreamPerson {
  readonly displayName: string | null;
  readonly paid: boolean;
}

interface UpstreamCollection {
  name: string;
  readonly people: Map<number, UpstreamPerson>;
}

/** What the workspace does wrong in a run. */
type Fault = 'none' | 'incomplete' | 'unavailable' | 'crash';

const addressOf = (number: number) => `p${number}@example.com`;
const keys = ['red', 'green', 'blue'] as const;

/** An external workspace in memory, and the two sides' state to compare. */
class Model {
  readonly collections = new Map<string, UpstreamCollection>();
  readonly server: TestServer;
  readonly site: TestSite;
  readonly sourceId: string;
  readonly customGroupId: string;
  /** Members of the custom group, by email address. */
  readonly byHand = new Set<string>();
  fault: Fault = 'none';
  beforeReading = async (): Promise<void> => {};
  /** Ahead of the clock of the service of the test, so that this test alone runs the source. */
  minutesAhead = 0;

  constructor(server: TestServer, site: TestSite, sourceId: string, customGroupId: string) {
    this.server = server;
    this.site = site;
    this.sourceId = sourceId;
    this.customGroupId = customGroupId;
    for (const key of keys) this.collections.set(key, { name: key, people: new Map() });
  }

  workspace(): Workspace {
    const { collections, beforeReading } = this;
    const fault = this.fault;
    return {
      async *collections() {
        for (const [key, { name }] of collections) yield { key, name };
      },
      async preview() {
        throw new CollectionGone();
      },
      async read({ key }) {
        await beforeReading();
        const collection = collections.get(key);
        if (!collection) throw new CollectionGone();
        return { name: collection.name, token: null, isGroup: true, people: readPeople(collection, fault) };
      },
    };
  }
}

async function* readPeople({ people }: UpstreamCollection, fault: Fault) {
  let count = 0;
  for (const [number, { displayName, paid }] of [...people]) {
    if (count++ >= people.size / 2) {
      if (fault === 'incomplete') throw new CollectionUnreadable('incomplete', 'Not everybody was returned.');
      if (fault === 'unavailable') throw new WorkspaceUnavailable('unavailable', 'It does not respond.');
    }
    yield { place: `row ${count}`, email: addressOf(number), displayName, paid };
  }
}

const number = fc.integer({ min: 0, max: 11 });
const key = fc.constantFrom(...keys);
const values = fc.record({
  displayName: fc.constantFrom('Ada', 'Bob', null),
  paid: fc.boolean(),
});

/** A step of a history: a change upstream, a change by hand, or a synchronization. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('put'), key, number, values }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('drop'), key, number }) },
  fc.record({ does: fc.constant('empty'), key }),
  fc.record({ does: fc.constant('rename'), key, name: fc.constantFrom('Team', 'Crew', 'red', 'By hand') }),
  fc.record({ does: fc.constant('unshare'), key }),
  fc.record({ does: fc.constant('delete member'), number }),
  fc.record({ does: fc.constant('change address'), number }),
  fc.record({ does: fc.constant('block'), number }),
  fc.record({ does: fc.constant('join by hand'), number }),
  fc.record({
    does: fc.constant('sync'),
    fault: fc.constantFrom<Fault>('none', 'none', 'incomplete', 'unavailable', 'crash'),
    processes: fc.constantFrom(1, 1, 2),
    crashAfter: fc.integer({ min: 1, max: 6 }),
    confirmed: fc.boolean(),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

forEachStore((store) => {
  const server = useTestServer(store);

  async function aModel(): Promise<Model> {
    const site = await server.createSite();
    const sourceId = await changing(server.database, site.siteId, async (change) => {
      const { id } = await createSource(change, {
        type: 'program',
        name: 'Office',
        graceDays: 0,
        maxRemovedPeople: 2,
      });
      for (const each of keys)
        await upsertCollection({ db: change.db, siteId: site.siteId }, id, {
          key: each,
          name: each,
          columns: null,
        });
      return id;
    });
    const custom = await changing(server.database, site.siteId, (change) =>
      createAccessGroup(change, { name: 'By hand' }),
    );
    return new Model(server, site, sourceId, custom.id);
  }

  /** Runs the source in one or two processes at once; a crash ends a process after some transactions. */
  async function sync(
    model: Model,
    { fault, processes, crashAfter, confirmed }: Extract<Step, { does: 'sync' }>,
  ): Promise<void> {
    const { database } = server;
    const { siteId } = model.site;
    model.fault = fault;
    const source = await findStoredSource({ db: database, siteId }, model.sourceId);
    // A process that is gone has lost its lease by then.
    model.minutesAhead += 10;
    const clock = () => new Date(Date.now() + model.minutesAhead * 60_000);
    await changing(
      database,
      siteId,
      (change) =>
        requestRun(change, source, { trigger: 'request', removalsConfirmed: confirmed }, change.now),
      systemContext(clock().toISOString()),
    );
    const run = async () => {
      const holder = randomUUID();
      for (;;) {
        const claimed = await database.transaction((tx) =>
          claimRun({ db: tx, siteId, now: clock().toISOString() }, holder),
        );
        if (!claimed) return;
        let left = fault === 'crash' ? crashAfter : Number.POSITIVE_INFINITY;
        const crashing = new Proxy(database, {
          get(target, name) {
            const value = Reflect.get(target, name);
            if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
            if (left-- <= 0) throw new Crash();
            return value.bind(target);
          },
        });
        const time = { clock, timers: systemTimers };
        const parts = { database: crashing, ...time, open: async () => model.workspace(), random: () => 0.5 };
        await runSync(parts, { siteId, run: claimed, holder }, new AbortController().signal).catch(
          (error) => {
            if (!(error instanceof Crash)) throw error;
          },
        );
        if (fault === 'crash') return;
      }
    };
    await Promise.all(Array.from({ length: processes }, run));
  }

  async function perform(model: Model, each: Step): Promise<void> {
    const { site, collections } = model;
    const member = async (wanted: number) => {
      const { data } = (await site.get(`/members?q=${addressOf(wanted)}`)).body;
      return data.find(({ email }: { email: string }) => email === addressOf(wanted));
    };
    if (each.does === 'sync') return sync(model, each as Extract<Step, { does: 'sync' }>);
    if ('key' in each) {
      const collection = collections.get(each.key) ?? { name: each.key, people: new Map() };
      if (each.does === 'unshare') collections.delete(each.key);
      else collections.set(each.key, collection);
      if ('values' in each) collection.people.set(each.number, each.values);
      else if (each.does === 'drop' && 'number' in each) collection.people.delete(each.number);
      else if (each.does === 'empty') collection.people.clear();
      else if ('name' in each) collection.name = each.name;
      return;
    }
    const found = await member((each as { number: number }).number);
    if (!found) return;
    if (each.does === 'delete member') {
      await site.delete(`/members/${found.id}`);
      model.byHand.delete(found.id);
    } else if (each.does === 'block') await site.post(`/members/${found.id}/block`, undefined);
    else if (each.does === 'change address') {
      await site.patch(`/members/${found.id}`, { email: `${randomUUID()}@example.com` });
    } else {
      const path = `/access-groups/${model.customGroupId}/members`;
      if ((await site.post(path, { memberId: found.id })).status === 201) model.byHand.add(found.id);
    }
  }

  async function compare(model: Model): Promise<void> {
    const { site, collections } = model;
    const groups = (await site.get('/access-groups?limit=100')).body.data;
    const scope = groups.filter(({ type }: { type: string }) => type === 'scope');
    const found: string[][] = [];
    for (const { id, memberCount } of scope) {
      const { data } = (await site.get(`/access-groups/${id}/members?limit=100`)).body;
      expect(memberCount).toBe(data.length);
      found.push(data.map(({ email }: { email: string }) => email).sort());
    }
    const wanted = [...collections.values()].map(({ people }) => [...people.keys()].map(addressOf).sort());
    expect(found.map(String).sort()).toEqual(wanted.map(String).sort());

    const custom = (await site.get(`/access-groups/${model.customGroupId}/members?limit=100`)).body.data;
    expect(custom.map(({ id }: { id: string }) => id).sort()).toEqual([...model.byHand].sort());
    const rows = await server.database.all<{ type: string; source: string }>(sql`
      SELECT g.type, m.source FROM memberships m
      JOIN access_groups g ON g.site_id = m.site_id AND g.id = m.group_id WHERE m.site_id = ${site.siteId}`);
    expect(rows.every(({ type, source }) => (type === 'scope') === (source === 'scope'))).toBe(true);
    await expectCompleteEvents(model);
  }

  /** The memberships that follow from the events alone are those that there are. */
  async function expectCompleteEvents({ site }: Model): Promise<void> {
    const present = new Set<string>();
    let after: string | null = null;
    do {
      const query: string = after === null ? '' : `&after=${after}`;
      const { data, pagination } = (await site.get(`/events?limit=100${query}`)).body;
      for (const { type, data: about } of data) {
        if (type === 'access-group.member.added' && !about.erased)
          present.add(`${about.groupId} ${about.memberId}`);
        if (type === 'access-group.member.removed') present.delete(`${about.groupId} ${about.memberId}`);
        const isOfDeleted = (each: string) =>
          (type === 'access-group.deleted' && each.startsWith(about.groupId)) ||
          (type === 'member.deleted' && each.endsWith(about.memberId));
        for (const each of [...present].filter(isOfDeleted)) present.delete(each);
      }
      after = pagination.nextCursor;
    } while (after !== null);
    const rows = await server.database.all<{ group_id: string; member_id: string }>(sql`
      SELECT group_id, member_id FROM memberships WHERE site_id = ${site.siteId}`);
    expect(rows.map(({ group_id, member_id }) => `${group_id} ${member_id}`).sort()).toEqual(
      [...present].sort(),
    );
  }

  test('after any history, one more synchronization gives exactly the workspace’s state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 45 }), async (history) => {
        const model = await aModel();
        for (const each of history) await perform(model, each);
        const last = { does: 'sync', fault: 'none', processes: 1, crashAfter: 1, confirmed: true } as const;
        await sync(model, last as Extract<Step, { does: 'sync' }>);
        await compare(model);
      }),
      { numRuns: effort.sourceHistories },
    );
  }, 300_000);
  test('a collection that is chosen again during a run is kept', async () => {
    const model = await aModel();
    const { siteId } = model.site;
    const { database } = server;
    const steps = { does: 'sync', fault: 'none', processes: 1, crashAfter: 1, confirmed: true } as const;
    model.collections.get('red')!.people.set(1, { displayName: null, paid: false });
    await sync(model, steps as Extract<Step, { does: 'sync' }>);
    const choose = (isChosen: boolean) =>
      changing(database, siteId, async ({ db, now }) => {
        if (!isChosen) return removeCollections({ db, siteId, now }, model.sourceId, ['red']);
        return upsertCollection({ db, siteId }, model.sourceId, { key: 'red', name: 'red', columns: null });
      });
    await choose(false);
    // The other collections are read before it.
    model.beforeReading = () => choose(true);
    await sync(model, steps as Extract<Step, { does: 'sync' }>);
    model.beforeReading = async () => {};
    await sync(model, steps as Extract<Step, { does: 'sync' }>);
    await compare(model);
    const events = (await model.site.get('/events?limit=100')).body.data;
    expect(events.map(({ type }: { type: string }) => type)).not.toContain('access-group.deleted');
  });
});

/** The process ends here. */
class Crash extends Error {}
