import { randomUUID } from 'node:crypto';
import type { Event, ListedPerson, Source, SourceRun, UploadCollectionPeople } from '@gatehouse/contract';
import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../../test/change.ts';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { purgeExpired } from '../../../../test/purge.ts';
import { endedRun, scopeGroups } from '../../../../test/source-steps.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { claimRunOfSource } from '../runs/run-lease.ts';
import { requestRun } from '../runs/runs.ts';
import { findOldListParts } from '../uploads/list-uploads.ts';
import { findStoredSource } from './sources.ts';

const person = (name: string): ListedPerson => ({ email: `${name}@example.com` });
const crowd = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => person(`p${String(from + index).padStart(4, '0')}`));

forEachStore((store) => {
  const server = useTestServer(store);

  async function aSource(site: TestSite, settings: object = {}): Promise<Source> {
    const body = { type: 'program', name: `Office ${randomUUID()}`, ...settings };
    return expectResponse('createSource', await site.post('/sources', body), 201).data;
  }

  /** Uploads everyone in a collection, and waits until the list is applied. */
  async function upload(
    site: TestSite,
    { id }: Source,
    people: readonly ListedPerson[],
    { key = 'team', ...options }: Partial<UploadCollectionPeople> & { key?: string } = {},
  ): Promise<SourceRun> {
    const body = { list: randomUUID(), people, complete: true, ...options };
    const answer = await site.request('PUT', `/sources/${id}/collections/${key}/people`, { body });
    return endedRun(site, expectResponse('uploadCollectionPeople', answer, 200).data.run!);
  }

  /** Begins a run of a source in a process of its own, which does not end it. */
  async function holdSource({ siteId }: TestSite, { id }: Source): Promise<void> {
    await changing(server.database, siteId, async (change) => {
      const list = { collection: 'held', list: 'held', name: 'Held', parts: 1, lastPartHash: '' };
      const source = await findStoredSource({ db: change.db, siteId }, id);
      await requestRun(change, source, { trigger: 'list', list });
      await claimRunOfSource({ db: change.db, siteId }, id, { holder: randomUUID(), now: change.now });
    });
  }

  describe('a list that a program uploads', () => {
    test('becomes a scope group, whose members follow the next list', async () => {
      const site = await server.createSite();
      const source = await aSource(site);
      const first = await upload(site, source, [person('ada'), person('bob')], { name: 'Team' });
      expect(first).toMatchObject({
        status: 'succeeded',
        counts: { read: 2, created: 2, added: 2, removed: 0 },
      });
      expect(await scopeGroups(site)).toEqual({ Team: ['ada', 'bob'] });

      const second = await upload(site, source, [person('bob'), person('cleo')], { name: 'Team 2026' });
      expect(second).toMatchObject({ status: 'succeeded', counts: { created: 1, added: 1, removed: 1 } });
      expect(await scopeGroups(site)).toEqual({ 'Team 2026': ['bob', 'cleo'] });
      expect((await site.get('/members')).body.data).toHaveLength(3);
    });

    test('in a dry run changes nothing, also if its collection is new', async () => {
      const site = await server.createSite();
      const source = await aSource(site);
      const before = (await site.get('/events')).body.data.length;
      const run = await upload(site, source, [person('ada')], { dryRun: true });
      const counts = { created: 1, added: 1, changed: 0 };
      expect(run).toMatchObject({ status: 'succeeded', dryRun: true, counts });
      expect(run.collections[0]!.sample.added).toEqual(['ada@example.com']);
      expect((await site.get('/events')).body.data).toHaveLength(before);
      expect((await site.get(`/sources/${source.id}`)).body.data.collections).toEqual([]);
      expect(await scopeGroups(site)).toEqual({});
    });

    test('without changes writes nothing but its run', async () => {
      const site = await server.createSite();
      const source = await aSource(site);
      await upload(site, source, [person('ada')]);
      const before = (await site.get('/events?limit=100')).body.data.length;
      const again = await upload(site, source, [person('ada')]);
      expect(again.counts).toMatchObject({ read: 1, created: 0, added: 0, changed: 0, removed: 0 });
      expect((await site.get('/events?limit=100')).body.data).toHaveLength(before);
    });

    test('has values that follow it: names, paid and groups', async () => {
      const site = await server.createSite();
      const source = await aSource(site);
      await upload(site, source, [
        { ...person('ada'), displayName: 'Ada', paid: true, groups: ['Rowing', 'Sailing'] },
        { ...person('bob'), displayName: null, paid: false, groups: [] },
      ]);
      expect(await scopeGroups(site)).toEqual({ Rowing: ['ada'], Sailing: ['ada'] });
      const [ada] = (await site.get('/members?q=ada')).body.data;
      expect(ada).toMatchObject({ displayName: 'Ada', paid: true });

      const changed = [
        { ...person('ada'), displayName: 'Ada King', paid: false, groups: ['Sailing'] },
        { ...person('bob'), displayName: 'Bob', paid: true, groups: ['Rowing'] },
      ];
      expect((await upload(site, source, changed, { confirmRemovals: true })).counts).toMatchObject({
        changed: 2,
      });
      expect(await scopeGroups(site)).toEqual({ Rowing: ['bob'], Sailing: ['ada'] });
      expect((await site.get(`/members/${ada.id}`)).body.data).toMatchObject({
        displayName: 'Ada King',
        paid: false,
      });
      expect((await upload(site, source, changed)).counts).toMatchObject({
        added: 0,
        changed: 0,
        removed: 0,
      });
    });
  });

  test('a person who is in a group by two collections stays until both are gone', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { maxRemovedPercent: 100 });
    const inRowing = (name: string) => ({ ...person(name), groups: ['Rowing'] });
    await upload(site, source, [inRowing('ada'), inRowing('bob')], { key: 'one' });
    await upload(site, source, [inRowing('ada')], { key: 'two' });
    await upload(site, source, [inRowing('bob')], { key: 'one' });
    expect(await scopeGroups(site)).toEqual({ Rowing: ['ada', 'bob'] });
    await upload(site, source, [], { key: 'two' });
    expect(await scopeGroups(site)).toEqual({ Rowing: ['bob'] });
  });

  test('many people are removed only after a confirmation; new ones are added at once', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    await upload(site, source, crowd(50));
    const fewer = [...crowd(35), person('new')];
    const dry = await upload(site, source, fewer, { dryRun: true });
    expect(dry).toMatchObject({
      status: 'confirmation_required',
      counts: { added: 1, removed: 0, withheld: 15 },
    });
    const withheld = await upload(site, source, fewer);
    expect(withheld).toMatchObject({
      status: 'confirmation_required',
      counts: { added: 1, removed: 0, withheld: 15 },
    });
    expect(withheld.collections[0]!.sample.removed[0]).toBe('p0035@example.com');
    expect((await scopeGroups(site)).team).toHaveLength(51);
    const confirmed = await upload(site, source, fewer, { confirmRemovals: true });
    expect(confirmed).toMatchObject({ status: 'succeeded', counts: { removed: 15, withheld: 0 } });
    expect((await scopeGroups(site)).team).toHaveLength(36);
    expect((await upload(site, source, [])).status).toBe('confirmation_required');
  });

  test('people without a group are withheld as well, and not blocked without a confirmation', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { onLeave: 'block' });
    const inNoGroup = crowd(30).map((each) => ({ ...each, groups: [] }));
    await upload(site, source, [...inNoGroup, { ...person('ada'), groups: ['Rowing'] }]);
    const fewer = [...inNoGroup.slice(0, 5), { ...person('ada'), groups: ['Rowing'] }];
    const withheld = await upload(site, source, fewer);
    expect(withheld).toMatchObject({ status: 'confirmation_required', counts: { withheld: 25, blocked: 0 } });
    expect((await site.get('/members?status=blocked')).body.data).toEqual([]);
    const confirmed = await upload(site, source, fewer, { confirmRemovals: true });
    expect(confirmed).toMatchObject({ status: 'succeeded', counts: { withheld: 0, blocked: 25 } });
  });

  test('many people lose `paid` only after a confirmation, and few at once', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const paying = (paid: boolean) => crowd(20).map((each) => ({ ...each, paid }));
    const paidCount = async () => (await site.get('/members?paid=true&limit=100')).body.data.length;
    await upload(site, source, paying(true));
    const few = [...paying(false).slice(0, 2), ...paying(true).slice(2)];
    expect(await upload(site, source, few)).toMatchObject({ status: 'succeeded', counts: { changed: 2 } });
    expect(await paidCount()).toBe(18);
    const withheld = await upload(site, source, paying(false));
    expect(withheld).toMatchObject({ status: 'confirmation_required', counts: { withheld: 18, changed: 0 } });
    expect(await paidCount()).toBe(18);
    await upload(site, source, paying(false), { confirmRemovals: true });
    expect(await paidCount()).toBe(0);
  });

  test('a deleted member is erased from what its sources have stored, and from their runs', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { maxRemovedPercent: 100 });
    const unreadable = { ...person('cleo'), email: 'CLEO@example.com, Ada@Example.com' };
    await upload(site, source, [person('ada'), person('bob'), person('cleo'), unreadable]);
    await upload(site, source, [], { dryRun: true });
    const [ada] = (await site.get('/members?q=ada')).body.data;
    const [bob] = (await site.get('/members?q=bob')).body.data;
    await site.delete(`/members/${ada.id}`);
    const action = { memberIds: [bob.id], action: { type: 'delete' } };
    expect((await site.post('/members/bulk-actions', action)).status).toBe(207);
    const tables = ['sources', 'source_people', 'source_runs', 'source_blocks', 'source_list_parts'];
    const stored = await Promise.all(
      tables.map((table) =>
        server.database.all(sql`SELECT * FROM ${raw(table)} WHERE site_id = ${site.siteId}`),
      ),
    );
    const text = JSON.stringify(stored);
    expect(text).toContain('cleo@example.com');
    expect(text).not.toMatch(/ada@example.com|bob@example.com/i);
    const runs = (await site.get(`/sources/${source.id}/runs`)).body.data;
    expect(runs[0].collections[0].sample.removed).toEqual(['cleo@example.com']);
  });

  test('a run names nobody any more after a week', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const run = await upload(site, source, [person('ada'), person('none of these')], { dryRun: true });
    const after = (days: number) => () => new Date(Date.now() + days * 86_400_000);
    const found = async () =>
      expectResponse('getSourceRun', await site.get(`/sources/${source.id}/runs/${run.id}`), 200).data;
    await purgeExpired(server.database, after(6.9));
    expect(await found()).toEqual(run);
    await purgeExpired(server.database, after(7.1));
    const nobody = { skippedPeople: [], sample: { added: [], removed: [] } };
    expect(await found()).toEqual({ ...run, collections: [{ ...run.collections[0], ...nobody }] });
  });

  test('two sources do not undo each other’s changes of the same person', async () => {
    const site = await server.createSite();
    const first = await aSource(site, { onLeave: 'block', maxRemovedPercent: 100 });
    const second = await aSource(site, { onLeave: 'block', maxRemovedPercent: 100 });
    const ada = async () => (await site.get('/members?q=ada@')).body.data[0];
    const inFirst = [{ ...person('ada'), displayName: 'Ada', paid: true }];
    const inSecond = [{ ...person('ada'), displayName: 'Ada King', paid: false }];
    await upload(site, first, inFirst);
    expect((await upload(site, second, inSecond)).counts).toMatchObject({ changed: 0 });
    expect((await upload(site, first, inFirst)).counts).toMatchObject({ changed: 0 });
    expect(await ada()).toMatchObject({ displayName: 'Ada', paid: true });

    expect((await upload(site, first, [])).counts).toMatchObject({ removed: 1, blocked: 0 });
    expect((await upload(site, second, inSecond)).counts).toMatchObject({ changed: 1 });
    expect(await ada()).toMatchObject({ displayName: 'Ada King', paid: false, status: 'active' });
    expect((await upload(site, second, [])).counts).toMatchObject({ blocked: 1 });
    await upload(site, first, inFirst);
    expect(await ada()).toMatchObject({ status: 'active' });
  });

  test('a column that is not one of groups creates none, and too long names are reported', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const many = crowd(501).map((each) => ({ ...each, groups: [each.email] }));
    const run = await upload(site, source, many);
    expect(run).toMatchObject({ status: 'failed', collections: [{ error: { code: 'too_large' } }] });
    expect(await scopeGroups(site)).toEqual({});

    const long = 'x'.repeat(900);
    const read = await upload(site, source, [{ ...person('ada'), groups: ['Rowing', long] }]);
    expect(read.collections[0]!.skippedPeople).toEqual([
      { place: 'person 1', value: 'x'.repeat(200), reason: 'invalid_group' },
    ]);
    expect(await scopeGroups(site)).toEqual({ Rowing: ['ada'] });
  });

  test('a complete list is applied once, also if its last part is sent again', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    await holdSource(site, source);
    const path = `/sources/${source.id}/collections/team/people`;
    const send = (part: object) => site.request('PUT', path, { body: { list: 'daily', ...part } });
    await send({ part: 0, people: [person('ada')] });
    const last = { part: 1, people: [person('bob')], complete: true };
    const first = expectResponse('uploadCollectionPeople', await send(last), 200).data;
    expect(expectResponse('uploadCollectionPeople', await send(last), 200).data).toEqual(first);
    for (const other of [
      { part: 0, people: [] },
      { ...last, dryRun: true },
      { ...last, confirmRemovals: true },
      { ...last, people: [person('cleo')] },
      { ...last, part: 0 },
    ]) {
      expectResponse('uploadCollectionPeople', await send(other), 409, 'list_in_use');
    }
  });

  test('lists that nobody completes take a limited space, and make room after an hour', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const path = `/sources/${source.id}/collections/team/people`;
    const send = (part: object) => site.request('PUT', path, { body: { people: [person('ada')], ...part } });
    expectResponse('uploadCollectionPeople', await send({ list: 'begun' }), 200);
    const insertParts = (list: string, count: number, age: number) =>
      server.database.transaction((tx) =>
        tx.insert(
          'source_list_parts',
          ['site_id', 'source_id', 'collection', 'list', 'part', 'people', 'created_at'],
          Array.from({ length: count }, (_, part) => [
            site.siteId,
            source.id,
            'team',
            list,
            part,
            '[]',
            new Date(Date.now() - age).toISOString(),
          ]),
        ),
      );
    await insertParts('recent', 1_999, 59 * 60_000);
    const refused = await send({ list: 'another' });
    expectResponse('uploadCollectionPeople', refused, 429, 'rate_limited');
    expect(refused.body.error.message).toContain('2,000 parts');
    // A list that was begun can be completed, and another site has its own space.
    const last = { list: 'begun', part: 1, people: [person('bob')], complete: true };
    const { run } = expectResponse('uploadCollectionPeople', await send(last), 200).data;
    expect(await endedRun(site, run!)).toMatchObject({ status: 'succeeded', counts: { read: 2 } });
    expectResponse('uploadCollectionPeople', await send({ list: 'another' }), 200);
    expectResponse('uploadCollectionPeople', await send({ list: 'another', part: 1 }), 429, 'rate_limited');

    await insertParts('abandoned', 500, 61 * 60_000);
    expectResponse('uploadCollectionPeople', await send({ list: 'another', part: 1 }), 200);
  });

  test('the parts of a list are deleted a few at a time, and all of them', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const path = `/sources/${source.id}/collections/team/people`;
    for (let part = 0; part < 24; part += 1) {
      const body = { list: 'daily', part, people: crowd(2, part * 2), complete: part === 23 };
      const answer = await site.request('PUT', path, { body });
      const { run } = expectResponse('uploadCollectionPeople', answer, 200).data;
      if (run)
        expect(await endedRun(site, run)).toMatchObject({ status: 'succeeded', counts: { created: 48 } });
    }
    const ofSource = sql`SELECT part FROM source_list_parts WHERE site_id = ${site.siteId}`;
    expect(await server.database.all(ofSource)).toEqual([]);

    for (let part = 0; part < 24; part += 1) {
      await site.request('PUT', path, { body: { list: 'begun', part, people: [] } });
    }
    const tomorrow = new Date(Date.now() + 25 * 60 * 60_000).toISOString();
    expect(await findOldListParts(server.database, tomorrow, 200)).toHaveLength(10);
  });

  test('the last part that is sent again after the run has ended names the same run', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const path = `/sources/${source.id}/collections/team/people`;
    const send = async (part: object) => {
      const answer = await site.request('PUT', path, { body: { list: 'daily', ...part } });
      return expectResponse('uploadCollectionPeople', answer, 200).data;
    };
    await send({ part: 0, people: [person('ada')] });
    const last = { part: 1, people: [person('bob')], complete: true };
    const { run } = await send(last);
    await endedRun(site, run!);
    expect((await send(last)).run?.id).toBe(run!.id);
    // The next list may have the same identifier.
    await send({ part: 0, people: [person('ada'), person('cleo')] });
    const next = await endedRun(site, (await send(last)).run!);
    expect(next.id).not.toBe(run!.id);
    expect(await scopeGroups(site)).toEqual({ team: ['ada', 'bob', 'cleo'] });
  });

  test('the lists that wait for one source do not delay another', async () => {
    const site = await server.createSite();
    const busy = await aSource(site);
    await holdSource(site, busy);
    const path = `/sources/${busy.id}/collections/team/people`;
    for (let number = 0; number < 25; number += 1) {
      const body = { list: `list ${number}`, people: [], complete: true };
      expectResponse('uploadCollectionPeople', await site.request('PUT', path, { body }), 200);
    }
    expect((await upload(site, await aSource(site), [person('ada')])).status).toBe('succeeded');
  });

  test('a block by hand wins; a block for leaving ends with the return', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { onLeave: 'block', maxRemovedPercent: 100 });
    await site.post('/members', person('ada'));
    await upload(site, source, [person('ada'), person('bob'), person('cleo')]);
    const statusOf = async (name: string) => (await site.get(`/members?q=${name}@`)).body.data[0].status;
    const [cleo] = (await site.get('/members?q=cleo')).body.data;
    expect((await upload(site, source, [])).counts).toMatchObject({ removed: 3, blocked: 2 });
    expect([await statusOf('ada'), await statusOf('bob')]).toEqual(['active', 'blocked']);
    await site.post(`/members/${cleo.id}/unblock`, undefined);
    await site.post(`/members/${cleo.id}/block`, undefined);
    await upload(site, source, [person('bob'), person('cleo')]);
    expect([await statusOf('bob'), await statusOf('cleo')]).toEqual(['active', 'blocked']);
    expect(await scopeGroups(site)).toEqual({ team: ['bob', 'cleo'] });
  });

  test('changes by hand are undone in its groups by the next list, and others are left alone', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { maxRemovedPercent: 100 });
    const { id: custom } = (await site.post('/access-groups', { name: 'By hand' })).body.data;
    await upload(site, source, [person('ada'), person('bob')]);
    const [ada] = (await site.get('/members?q=ada')).body.data;
    const [bob] = (await site.get('/members?q=bob')).body.data;
    await site.post(`/access-groups/${custom}/members`, { memberId: bob.id });
    await site.delete(`/members/${ada.id}`);
    await site.patch(`/members/${bob.id}`, { email: 'robert@example.com' });
    await upload(site, source, [person('ada'), person('bob')]);
    expect(await scopeGroups(site)).toEqual({ team: ['ada', 'bob'] });
    expect((await site.get(`/access-groups/${custom}/members`)).body.data[0].email).toBe(
      'robert@example.com',
    );
  });

  test('every change of a source is an event, and its changes have it as their actor', async () => {
    const site = await server.createSite();
    const source = await aSource(site, { name: 'Office' });
    await upload(site, source, [person('ada')]);
    await site.patch(`/sources/${source.id}`, { name: 'Club office', graceDays: 30 });
    await site.delete(`/sources/${source.id}?groups=delete`);
    const { data } = (await site.get('/events')).body;
    const events: Event[] = data.slice(data.findIndex(({ type }: Event) => type === 'source.created'));
    const key = { type: 'key', id: site.keyId, name: 'Test key' };
    const actor = { type: 'source', id: source.id, name: 'Office' };
    expect(events).toMatchObject([
      {
        type: 'source.created',
        actor: key,
        data: { source: { id: source.id, type: 'program', name: 'Office' } },
      },
      {
        type: 'source.updated',
        actor: key,
        data: { changes: [{ field: 'collections', from: null, to: 'team' }] },
      },
      { type: 'access-group.created', actor },
      { type: 'member.created', actor },
      { type: 'access-group.member.added', actor },
      { type: 'source.synced', actor, data: { sourceId: source.id, counts: { created: 1, added: 1 } } },
      {
        type: 'source.updated',
        actor: key,
        data: {
          changes: [
            { field: 'name', from: 'Office', to: 'Club office' },
            { field: 'graceDays', from: '7', to: '30' },
          ],
        },
      },
      { type: 'access-group.deleted', actor: key },
      { type: 'source.deleted', actor: key, data: { sourceId: source.id, name: 'Club office' } },
    ]);
  });

  test('a deleted source leaves its groups as custom groups, or deletes them', async () => {
    const site = await server.createSite();
    const saved = await aSource(site);
    await upload(site, saved, [person('ada')], { key: 'saved' });
    const gone = await aSource(site);
    await upload(site, gone, [person('ada')], { key: 'gone' });
    expectResponse('deleteSource', await site.delete(`/sources/${saved.id}`), 204);
    expectResponse('deleteSource', await site.delete(`/sources/${gone.id}?groups=delete`), 204);
    const all = (await site.get('/access-groups')).body.data;
    expect(all).toMatchObject([{ name: 'saved', type: 'custom', sourceId: null, memberCount: 1 }]);
    expectResponse('getSource', await site.get(`/sources/${saved.id}`), 404, 'source_not_found');
  });
});
